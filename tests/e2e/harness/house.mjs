// A household that is set up, for tests that begin in the middle.

import { Rest } from './rest.mjs';
import { Scripted } from './scripted.mjs';
import { CAMILLE, Server } from './server.mjs';

/** A server with an admin, a scripted provider and one Kin that thinks with it. `web` is another folder of the app. */
export async function house(t, { web } = {}) {
  const [server, scripted] = await Promise.all([Server.start(t, { web }), Scripted.start(t)]);
  await server.createAdmin(CAMILLE);
  const rest = new Rest(server, await server.createToken(CAMILLE));
  const me = await rest.me();
  const provider = await rest.connect(scripted);
  const kin = await rest.createKin(provider);
  return { server, scripted, rest, me, provider, kin };
}
