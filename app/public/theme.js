// Before the first picture: the theme this browser was asked for, also for the bars of the system around the page.
// A script of its own because the page may hold none, and first so that nothing flashes.

{
  const root = document.documentElement;
  const bars = [...document.querySelectorAll('meta[name=theme-color]')];
  const own = bars.map(bar => bar.content);
  const paint = () => {
    const chosen = ['light', 'dark'].indexOf(root.dataset.theme);
    bars.forEach((bar, at) => (bar.content = own[chosen < 0 ? at : chosen]));
  };
  new MutationObserver(paint).observe(root, { attributeFilter: ['data-theme'] });
  try {
    const theme = localStorage.getItem('kinstead.theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch {
    // A browser that refuses storage remembers no theme.
  }
}
