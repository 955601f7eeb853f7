// Every screen, in two languages, two themes and three widths: accessible, and nothing sticks out.

import { test } from 'node:test';
import { App } from './harness/app.mjs';
import { Browser, SERVER_AWAY } from './harness/browser.mjs';
import { house } from './harness/house.mjs';
import { assertNone, look } from './harness/look.mjs';
import { Rest } from './harness/rest.mjs';
import { Scripted } from './harness/scripted.mjs';
import { BEN, CAMILLE, Server } from './harness/server.mjs';
import { writePage } from './harness/side_by_side.mjs';
import { eventually, stepsOf } from './harness/wait.mjs';

const LANGUAGES = { en: 'English', fr: 'Français' };

const RICH = {
  en: `## Tonight\n\nA **quick** version, *or* the Sunday one:\n\n1. Cook the rice\n2. Chop \`two\` onions\n   - finely\n\n- [x] salt\n- [ ] pepper\n\n> Nobody likes coriander.\n\n| What | How much | For whom |\n| --- | ---: | --- |\n| Rice | 250 g | everyone |\n| Peas | 1 kg | Inès |\n\n\`\`\`python\ndef dinner(people, something_quite_long="a default value that is wider than any phone on the market today"):\n    return people * 80\n\`\`\`\n\nMore on [example.org](https://example.org/a/very/long/address/that/has/no/space/in/it/at/all/and/goes/on/and/on).\n`,
  fr: `## Ce soir\n\nLa version **rapide**, *ou* celle du dimanche :\n\n1. Cuire le riz\n2. Émincer \`deux\` oignons\n   - finement\n\n- [x] sel\n- [ ] poivre\n\n> Personne n’aime la coriandre.\n\n| Quoi | Combien | Pour qui |\n| --- | ---: | --- |\n| Riz | 250 g | tout le monde |\n| Petits pois | 1 kg | Inès |\n\n\`\`\`python\ndef diner(personnes, quelque_chose_de_long="une valeur par défaut plus large que tous les téléphones du marché"):\n    return personnes * 80\n\`\`\`\n\nDe plus sur [example.org](https://example.org/une/adresse/tres/longue/sans/aucune/espace/qui/continue/encore/et/encore).\n`,
};
const SAID = {
  en: { hello: 'What shall we eat tonight?', stop: 'And tomorrow?', key: 'A dessert too?', run: 'How long does it take?', wait: 'And without an oven?', wide: 'Supercalifragilistic'.repeat(8) },
  fr: { hello: 'Qu’est-ce qu’on mange ce soir ?', stop: 'Et demain ?', key: 'Un dessert aussi ?', run: 'Combien de temps faut-il ?', wait: 'Et sans four ?', wide: 'Anticonstitutionnellement'.repeat(7) },
};

/** Does `work` in each language, chosen at the door. */
async function inEachAtTheDoor(app, work) {
  for (const [language, name] of Object.entries(LANGUAGES)) {
    await app.page.getByRole('radio', { name, exact: true }).click();
    await work(new App(app.browser, language));
  }
}

test('every screen is accessible and fits', async t => {
  const step = stepsOf(t);
  const findings = [];
  const see = async (app, screen, arrange) => findings.push(...(await look(app, screen, arrange)));
  const server = await Server.start(t);
  const browser = await Browser.start(t, server, { still: true });
  const { page } = browser;
  const door = new App(browser);

  await step('setup', async () => {
    await page.goto(`${server.url}/`);
    await page.locator('#setup').waitFor();
    await inEachAtTheDoor(door, async app => {
      await app.heading('setup-title').waitFor();
      await see(app, 'setup');
    });
    await inEachAtTheDoor(door, async app => {
      await app.heading('setup-title').waitFor();
      await app.button('setup-submit').click();
      await app.text('mistake-email').waitFor();
      await app.field('field-password').fill('abcdefgh');
      await see(app, 'setup-mistakes');
      await app.field('field-password').fill('');
    });
  });

  await step('the first day', async () => {
    const fresh = await Server.start(t);
    const newcomer = await Browser.start(t, fresh, { still: true });
    await newcomer.page.goto(await fresh.setupAddress());
    const first = new App(newcomer);
    await first.moveIn(CAMILLE);
    await first.heading('wizard-providers-title').waitFor();
    const own = new Rest(fresh, await fresh.createToken(CAMILLE));
    const workshop = await Scripted.start(t);
    /** Looks at a step of the wizard in both languages. */
    const seeStep = async (screen, title) => {
      for (const language of Object.keys(LANGUAGES)) {
        // The wizard has no menu: the language is the account's, changed from a device.
        await newcomer.page.evaluate(async language => {
          const body = JSON.stringify({ language });
          await fetch('/api/me', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body });
        }, language);
        await newcomer.page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
        const app = new App(newcomer, language);
        await app.heading(title).waitFor();
        await see(app, screen);
      }
    };
    await seeStep('wizard-providers-empty', 'wizard-providers-title');
    await own.connect(workshop, 'The workshop, with a name that is rather long');
    await newcomer.page.reload();
    await seeStep('wizard-providers', 'wizard-providers-title');
    await own.ask('PUT', '/api/setup/progress', { step: 'search' });
    await newcomer.page.reload();
    await seeStep('wizard-search', 'wizard-search-title');
    await own.ask('PUT', '/api/setup/progress', { step: 'kin' });
    await newcomer.page.reload();
    await seeStep('wizard-kin', 'first-kin-title');
  });

  await server.createAdmin(CAMILLE);
  await server.createAdmin(BEN);
  const rest = new Rest(server, await server.createToken(CAMILLE));
  const ben = new Rest(server, await server.createToken(BEN));

  await step('sign-in', async () => {
    browser.allow('status: 401 POST /api/auth/login');
    await page.reload();
    await page.locator('.k-door__sign-in').waitFor();
    await inEachAtTheDoor(door, async app => {
      await app.heading('sign-in-title').waitFor();
      await see(app, 'sign-in');
      await app.fillSignIn({ email: CAMILLE.email, password: 'not this one' });
      await app.text('problem-sign-in-failed').waitFor();
      await see(app, 'sign-in-failed');
    });
    const app = new App(browser, 'fr');
    await app.fillSignIn(CAMILLE);
    await app.heading('start-provider-title').waitFor();
  });

  /** Does `work` in each language, chosen in the account's menu. */
  const inEach = async work => {
    for (const [language, name] of Object.entries(LANGUAGES)) {
      await page.goto(`${server.url}/`);
      const opener = page.locator('[data-account=side] > button');
      await opener.click();
      await page.getByRole('radio', { name, exact: true }).click();
      await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      await work(new App(browser, language));
    }
  };

  await step('a house without Kins', async () => {
    await inEach(async app => {
      await app.heading('start-provider-title').waitFor();
      await see(app, 'home-first');
      await app.go('/providers');
      await app.heading('providers-empty-title').waitFor();
      await see(app, 'providers-empty');
      await app.button('provider-add').click();
      await app.page.locator('#provider-kind').getByText(app.words('provider-kind-compatible'), { exact: true }).click();
      await app.field('field-address').fill('localhost:11434');
      await app.button('provider-test').click();
      await app.text('mistake-address').waitFor();
      await see(app, 'provider-new');
      await app.go('/kin/new');
      await app.text('kin-model-none').waitFor();
      await see(app, 'kin-new-without-provider');
    });
  });

  const scripted = await Scripted.start(t);
  const provider = await rest.connect(scripted, 'The workshop, with a name that is rather long');
  await rest.connectDemo();

  await step('a house with a provider', async () => {
    await inEach(async app => {
      await app.heading('start-kin-title').waitFor();
      await see(app, 'home-second');
      await app.go('/kin/new');
      await app.field('field-model').waitFor();
      await app.button('kin-welcome').click();
      await app.text('mistake-empty').first().waitFor();
      await see(app, 'kin-new');
    });
  });

  /** A thread with everything a thread can hold, and Kins in every state. */
  const furnish = async language => {
    const said = SAID[language];
    const kins = {};
    for (const name of ['Basile', 'Octave', 'Zéphyr']) kins[name] = await rest.createKin(provider, { name, avatar: name.toLowerCase().replace('é', 'e') });
    const { Basile, Octave } = kins;
    const ask = async (from, text, script) => {
      await scripted.script(script);
      await from.send(Basile, text);
    };
    await ask(rest, said.hello, { kind: 'answer', chunks: [RICH[language]] });
    await rest.answerTo(Basile, said.hello);
    await ask(ben, said.wide, { kind: 'answer', chunks: [said.wide] });
    await rest.answerTo(Basile, said.wide);
    await ask(rest, said.stop, { kind: 'gated', chunks: [said.hello, said.key], gate: 'stop' });
    await scripted.release(1, 'stop');
    await eventually('a running answer', async () => (await rest.thread(Basile)).some(({ text, state }) => text === said.stop && state === 'running'));
    await scripted.requestsWith(said.stop);
    await rest.ask('POST', `/api/kins/${Basile.id}/stop`);
    await rest.answerTo(Basile, said.stop);
    await ask(rest, said.key, { kind: 'unauthorized' });
    await rest.answerTo(Basile, said.key);
    await ask(rest, said.run, { kind: 'gated', chunks: [`${said.hello} **${said.run}** `, '.'], gate: `run-${language}` });
    await scripted.release(1, `run-${language}`);
    await rest.send(Basile, said.wait);
    await ben.send(Basile, said.wait);
    await scripted.script({ kind: 'rate_limit', retry_after_secs: 120, times: 1 });
    await rest.send(Octave, said.hello);
    return kins;
  };

  await step('a house full of life', async () => {
    for (const [language, name] of Object.entries(LANGUAGES)) {
      const kins = await furnish(language);
      await page.goto(`${server.url}/`);
      const app = new App(browser, language);
      await page.locator('[data-account=side] > button').click();
      await page.getByRole('radio', { name, exact: true }).click();
      await app.text('sign-out').waitFor();
      await see(app, 'account-menu');
      await app.button('sign-out').click();
      await app.heading('sign-out-title').waitFor();
      await see(app, 'sign-out');
      await app.button('stay').click();
      await app.page.getByRole('link', { name: /Octave/ }).filter({ hasText: app.words('activity-retrying') }).first().waitFor();
      await see(app, 'home');
      await app.open(kins.Basile);
      await app.writing.getByText(SAID[language].run).waitFor();
      await see(app, 'thread');
      // Further up: a list, a table, code.
      await see(app, 'thread-above', async () => {
        await page.locator('.k-scroll--end').evaluate(log => (log.scrollTop = -log.scrollHeight));
        await app.log.getByRole('table').scrollIntoViewIfNeeded();
      });
      await app.open(kins.Octave);
      await app.text('failure-rate-limited-title').last().waitFor();
      await see(app, 'thread-retrying');
      await app.open(kins['Zéphyr']);
      await app.heading('thread-empty-title', { name: 'Zéphyr' }).waitFor();
      await see(app, 'thread-empty');
      await app.go(`/kin/${kins.Basile.id}/settings`);
      await app.field('field-character').and(page.locator(':enabled')).waitFor();
      await see(app, 'kin-settings');
      await app.button('kin-delete-name', { name: 'Basile' }).click();
      await app.heading('kin-delete-title', { name: 'Basile' }).waitFor();
      await see(app, 'kin-delete');
      await app.go('/providers');
      await page.getByText('Demo', { exact: true }).first().waitFor();
      await see(app, 'providers');
      await page.getByRole('button', { name: app.words('provider-delete-of', { name: 'Demo' }) }).click();
      await app.heading('provider-delete-title', { name: 'Demo' }).waitFor();
      await see(app, 'provider-delete');
      await app.go('/members');
      await app.heading('members-title').waitFor();
      await page.getByText('Ben', { exact: true }).first().waitFor();
      await see(app, 'members');
      await app.go('/account');
      await app.text('devices-title').first().waitFor();
      await see(app, 'account');
      await app.open(kins.Basile);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('bas');
      await page.getByRole('option').first().waitFor();
      await see(app, 'palette');
      await page.keyboard.press('Escape');
      browser.allow(SERVER_AWAY);
      await browser.context.setOffline(true);
      await app.syncs('sync-offline');
      await app.send(SAID[language].hello);
      await see(app, 'thread-offline');
      await browser.context.setOffline(false);
      await app.syncs('sync-up-to-date');
      await app.go('/nowhere');
      await app.heading('not-found-title').waitFor();
      await see(app, 'not-found');
      for (const kin of Object.values(kins)) await rest.ask('DELETE', `/api/kins/${kin.id}`);
    }
  });

  if (process.env.KINSTEAD_SCREENS === '1') await writePage();
  await step('an invitation, and the code that is shown once', async () => {
    const { server: theirs, rest: admin } = await house(t);
    const { token } = await admin.ask('POST', '/api/invitations', { role: 'member' });
    const guest = await Browser.start(t, theirs, { still: true });
    await guest.page.goto(`${theirs.url}/#invite=${token}`);
    await guest.page.locator('#accept').waitFor();
    const arriving = new App(guest);
    // Scrolled to its end: halfway the bar with the button cuts a field, as it cuts whatever scrolls beneath it.
    const toEnd = () =>
      guest.page.evaluate(() => {
        for (let one = document.querySelector('#again'); one; one = one.parentElement) one.scrollTop = one.scrollHeight;
      });
    await inEachAtTheDoor(arriving, app => see(app, 'accept', toEnd));
    const app = new App(guest, 'fr');
    for (const [field, value] of Object.entries({ 'first-name': BEN.firstName, 'last-name': BEN.lastName, nickname: BEN.nickname, email: BEN.email, password: BEN.password, 'password-again': BEN.password })) {
      await app.field(`field-${field}`).fill(value);
    }
    await app.button('setup-submit').click();
    await app.heading('recovery-title').waitFor();
    await see(app, 'recovery-code');
  });

  await step('nothing was found', () => assertNone(findings));
});
