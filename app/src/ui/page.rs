//! The few things screens ask the page and its window for. Each gives a plain default where the browser refuses.

use js_sys::{Array, Date, Object, Reflect};
use shared::UnixMillis;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, Element, EventTarget, Headers, HtmlElement, RequestCredentials, RequestInit, Response, Storage, Window,
};

fn window() -> Option<Window> {
    web_sys::window()
}

/// Sends one request to our own server; gives status and body, or `None` when there was no answer.
pub async fn fetch(method: &str, path: &str, body: Option<String>) -> Option<(u16, String)> {
    let init = RequestInit::new();
    init.set_method(method);
    init.set_credentials(RequestCredentials::SameOrigin);
    let headers = Headers::new().ok()?;
    headers.set("accept", "application/json").ok()?;
    if let Some(body) = body {
        headers.set("content-type", "application/json").ok()?;
        init.set_body(&JsValue::from_str(&body));
    }
    init.set_headers(&headers);
    let response = JsFuture::from(window()?.fetch_with_str_and_init(path, &init)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((response.status(), text.as_string().unwrap_or_default()))
}

/// Posts a file to our own server; gives status and body, or `None` when there was no answer.
pub async fn upload(path: &str, file: &Blob) -> Option<(u16, String)> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_credentials(RequestCredentials::SameOrigin);
    // The browser says the file's type by itself.
    init.set_body(file);
    let response = JsFuture::from(window()?.fetch_with_str_and_init(path, &init)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    Some((response.status(), text.as_string().unwrap_or_default()))
}

/// An address under which this page shows a file; it ends with this value.
#[derive(Debug, PartialEq, Eq)]
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// Of a file or a picture.
    pub fn of(file: &Blob) -> Option<Self> {
        web_sys::Url::create_object_url_with_blob(file).ok().map(Self)
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        web_sys::Url::revoke_object_url(&self.0).ok();
    }
}

/// Ends after `ms` milliseconds.
pub async fn sleep(ms: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = window() {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms).ok();
        }
    });
    JsFuture::from(promise).await.ok();
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// Something this browser was asked to remember.
pub fn remembered(key: &str) -> Option<String> {
    storage()?.get_item(&format!("kinstead.{key}")).ok()?
}

/// Remembers something in this browser, or forgets it.
pub fn remember(key: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    let key = format!("kinstead.{key}");
    match value {
        Some(value) => storage.set_item(&key, value).ok(),
        None => storage.remove_item(&key).ok(),
    };
}

/// Something this tab was asked to remember: it outlives a reload and nothing else.
pub fn remembered_here(key: &str) -> Option<String> {
    window()?.session_storage().ok()??.get_item(&format!("kinstead.{key}")).ok()?
}

/// Remembers something in this tab, or forgets it.
pub fn remember_here(key: &str, value: Option<&str>) {
    let Some(storage) = window().and_then(|window| window.session_storage().ok().flatten()) else { return };
    let key = format!("kinstead.{key}");
    match value {
        Some(value) => storage.set_item(&key, value).ok(),
        None => storage.remove_item(&key).ok(),
    };
}

/// Forgets everything this browser was asked to remember.
pub fn forget_all() {
    let Some(storage) = storage() else { return };
    let length = storage.length().unwrap_or(0);
    let keys: Vec<String> = (0..length).filter_map(|index| storage.key(index).ok().flatten()).collect();
    for key in keys.iter().filter(|key| key.starts_with("kinstead.")) {
        storage.remove_item(key).ok();
    }
}

/// The languages the browser asks pages for, best first.
pub fn languages() -> Vec<String> {
    let Some(window) = window() else { return Vec::new() };
    window.navigator().languages().iter().filter_map(|language| language.as_string()).collect()
}

/// The page's root element.
pub fn root() -> Option<HtmlElement> {
    window()?.document()?.document_element()?.dyn_into().ok()
}

/// Names the tab.
pub fn set_title(title: &str) {
    if let Some(document) = window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Whether the system asks for dark pages.
pub fn prefers_dark() -> bool {
    matches_media("(prefers-color-scheme: dark)")
}

/// Whether the main pointer is a finger: Enter then makes a new line.
pub fn has_coarse_pointer() -> bool {
    matches_media("(pointer: coarse)")
}

/// Whether the window is as narrow as a phone: one pane at a time.
pub fn is_phone() -> bool {
    !matches_media("(width >= 45rem)")
}

fn matches_media(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok().flatten()).is_some_and(|media| media.matches())
}

/// Whether someone is looking at the page.
pub fn has_focus() -> bool {
    window().and_then(|window| window.document()).is_some_and(|document| document.has_focus().unwrap_or(false))
}

/// Whether nobody can see the page.
pub fn is_hidden() -> bool {
    window().and_then(|window| window.document()).is_some_and(|document| document.hidden())
}

/// Whether the element that a selector finds has the focus, in a page that has it.
pub fn has_focus_on(selector: &str) -> bool {
    has_focus() && focused().is_some_and(|element| element.matches(selector).unwrap_or(false))
}

/// Whether this is a Mac, whose keys have other names.
pub fn is_mac() -> bool {
    let platform = window().and_then(|window| window.navigator().platform().ok());
    platform.is_some_and(|platform| platform.starts_with("Mac") || platform.starts_with("iP"))
}

/// Whether texts can be handed to other apps.
pub fn can_share() -> bool {
    navigator_has("share")
}

fn navigator_has(name: &str) -> bool {
    let Some(window) = window() else { return false };
    let navigator: JsValue = window.navigator().into();
    Reflect::get(&navigator, &name.into()).is_ok_and(|value| !value.is_undefined() && !value.is_null())
}

/// Hands a text to another app, as the member chooses; nothing happens when they choose none.
pub async fn share(text: &str) {
    let Some(window) = window().filter(|_| can_share()) else { return };
    let navigator: JsValue = window.navigator().into();
    let Ok(share) = Reflect::get(&navigator, &"share".into()) else { return };
    let data = Object::new();
    Reflect::set(&data, &"text".into(), &text.into()).ok();
    let shared = share.dyn_into::<js_sys::Function>().and_then(|share| share.call1(&navigator, &data));
    if let Ok(promise) = shared.and_then(|shared| shared.dyn_into::<js_sys::Promise>()) {
        JsFuture::from(promise).await.ok();
    }
}

/// Brings an element into view, moving as little as possible.
pub fn show_nearest(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Brings an element to the middle of what scrolls it.
pub fn show_in_the_middle(element: &Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Center);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// The fragment of the address bar.
pub fn fragment() -> String {
    let fragment = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    fragment.trim_start_matches('#').to_owned()
}

/// Where this page came from, without a slash at the end.
pub fn origin() -> String {
    window().and_then(|window| window.location().origin().ok()).unwrap_or_default()
}

/// Takes the fragment out of the address bar and gives it: it may hold the setup code.
pub fn take_fragment() -> String {
    let Some(window) = window() else { return String::new() };
    let fragment = window.location().hash().unwrap_or_default();
    if let (false, Ok(history)) = (fragment.is_empty(), window.history()) {
        let path = window.location().pathname().unwrap_or_else(|_| "/".to_owned());
        history.replace_state_with_url(&JsValue::NULL, "", Some(&path)).ok();
    }
    fragment.trim_start_matches('#').to_owned()
}

/// Tells the page's own scripts something, by an event on the window.
pub fn announce(event: &str) {
    if let (Some(window), Ok(event)) = (window(), web_sys::Event::new(event)) {
        window.dispatch_event(&event).ok();
    }
}

/// Loads the page anew at its start.
pub fn restart() {
    if let Some(window) = window() {
        window.location().assign("/").ok();
    }
}

/// Puts a text on the clipboard; gives whether that worked.
pub async fn copy(text: &str) -> bool {
    let Some(window) = window() else { return false };
    // Without HTTPS there is no clipboard, and asking for it would throw.
    let navigator: JsValue = window.navigator().into();
    let present = Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|clipboard| !clipboard.is_undefined());
    present && JsFuture::from(window.navigator().clipboard().write_text(text)).await.is_ok()
}

/// A text as part of an address.
pub fn escaped(text: &str) -> String {
    js_sys::encode_uri_component(text).into()
}

/// The element that has the focus.
pub fn focused() -> Option<HtmlElement> {
    window()?.document()?.active_element()?.dyn_into().ok()
}

/// Whether nothing has the focus, e.g. because what had it is gone.
pub fn has_lost_focus() -> bool {
    focused().is_none_or(|element| element.tag_name() == "BODY")
}

/// Whether keys go into a text now.
pub fn is_typing() -> bool {
    focused().is_some_and(|element| {
        matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT") || element.is_content_editable()
    })
}

/// Whether a dialog is open: keys belong to it.
pub fn has_dialog() -> bool {
    element("dialog[open]").is_some()
}

/// The first element a selector finds.
pub fn element(selector: &str) -> Option<HtmlElement> {
    window()?.document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// The last element a selector finds.
pub fn last_element(selector: &str) -> Option<HtmlElement> {
    let found = window()?.document()?.query_selector_all(selector).ok()?;
    found.item(found.length().checked_sub(1)?)?.dyn_into().ok()
}

/// Moves the focus to an element.
pub fn focus_element(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        element.focus().ok();
    }
}

/// Moves the focus to the first element a selector finds.
pub fn focus(selector: &str) {
    if let Some(element) = element(selector) {
        element.focus().ok();
    }
}

/// Moves the focus once what was just drawn is in the page.
pub fn focus_soon(selector: &'static str) {
    dioxus::prelude::spawn(async move {
        sleep(0).await;
        focus(selector);
    });
}

/// Moves the focus once what was just drawn is in the page, for something that is no longer in it.
pub fn focus_soon_anywhere(selector: &'static str) {
    wasm_bindgen_futures::spawn_local(async move {
        sleep(0).await;
        if has_lost_focus() {
            focus(selector);
        }
    });
}

/// Selects what is in the first text field a selector finds.
pub fn select(selector: &str) {
    if let Some(field) = element(selector).and_then(|element| element.dyn_into::<web_sys::HtmlInputElement>().ok()) {
        field.select();
    }
}

/// Lets a text field grow with its text, where style sheets alone cannot.
pub fn grow(field: &HtmlElement) {
    let style = field.style();
    if Reflect::has(&style, &"fieldSizing".into()).unwrap_or(false) {
        return;
    }
    style.set_property("block-size", "auto").ok();
    style.set_property("block-size", &format!("{}px", field.scroll_height())).ok();
}

/// A moment in words, by `Intl` options: `[("hour", "numeric"), …]`.
pub fn format_time(moment: UnixMillis, locale: &str, options: &[(&str, &str)]) -> String {
    let object = Object::new();
    for (name, value) in options {
        let value = match *value {
            "true" => JsValue::TRUE,
            "false" => JsValue::FALSE,
            text => JsValue::from_str(text),
        };
        Reflect::set(&object, &JsValue::from_str(name), &value).ok();
    }
    let locales = Array::of1(&JsValue::from_str(locale));
    let format = js_sys::Intl::DateTimeFormat::new(&locales, &object);
    let date = Date::new(&JsValue::from_f64(moment.0 as f64));
    format.format().call1(&JsValue::NULL, &date).ok().and_then(|text| text.as_string()).unwrap_or_default()
}

/// A number as people of a language write it.
pub fn format_number(number: u32, locale: &str) -> String {
    js_sys::Number::from(number).to_locale_string(locale).into()
}

/// Brings an element to the top of what scrolls around it.
pub fn scroll_to(element: &HtmlElement) {
    element.scroll_into_view();
}

/// A moment as `2026-11-30T18:00:00.000Z`.
pub fn iso_time(moment: UnixMillis) -> String {
    Date::new(&JsValue::from_f64(moment.0 as f64)).to_iso_string().into()
}

/// Days since 1970 by this device's calendar.
pub fn day_of(moment: UnixMillis) -> i64 {
    let date = Date::new(&JsValue::from_f64(moment.0 as f64));
    let offset_ms = (date.get_timezone_offset() * 60_000.0) as i64;
    (moment.0 - offset_ms).div_euclid(86_400_000)
}

/// Hour of the day, 0 to 23, by this device's clock.
pub fn hour_of(moment: UnixMillis) -> u32 {
    Date::new(&JsValue::from_f64(moment.0 as f64)).get_hours()
}

/// A listener on the window or the document that ends with whoever holds it.
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    /// Listens on the window.
    pub fn on_window(name: &'static str, handler: impl FnMut(web_sys::Event) + 'static) -> Option<Self> {
        let target: EventTarget = window()?.into();
        let closure = Closure::wrap(Box::new(handler) as Box<dyn FnMut(web_sys::Event)>);
        target.add_event_listener_with_callback(name, closure.as_ref().unchecked_ref()).ok()?;
        Some(Self { target, name, closure })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.target.remove_event_listener_with_callback(self.name, self.closure.as_ref().unchecked_ref()).ok();
    }
}

/// The row beside an element's own, in a list of rows.
pub fn neighbour(element: &Element, row: &str, next: bool) -> Option<HtmlElement> {
    let own = element.closest(row).ok()??;
    let mut beside = own;
    loop {
        beside = if next { beside.next_element_sibling() } else { beside.previous_element_sibling() }?;
        if beside.matches(row).unwrap_or(false) {
            return beside.dyn_into().ok();
        }
    }
}
