// What may run beside Kinstead on the same machine, as far as it is asked: Ollama and SearXNG.

import { createServer } from 'node:http';
import { atEnd } from './program.mjs';

/** Serves `answers`, a JSON body for each path, on a free port; gives the port. */
async function serve(t, answers) {
  const server = createServer((request, response) => {
    const body = answers[new URL(request.url, 'http://localhost').pathname];
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  atEnd(t, () => new Promise(resolve => server.close(resolve) && server.closeAllConnections()));
  return server.address().port;
}

/** An Ollama with a model to think and one to remember with. */
export async function ollama(t) {
  const names = ['llama3.2:3b', 'nomic-embed-text:latest'];
  return serve(t, {
    '/api/tags': { models: names.map(name => ({ name })) },
    '/v1/models': { object: 'list', data: names.map(id => ({ id, object: 'model', owned_by: 'library' })) },
    '/v1/embeddings': { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }] },
  });
}

/** A SearXNG that finds one page, whatever the question. */
export async function searxng(t) {
  const found = { title: 'Wazemmes', url: 'https://example.org/wazemmes', content: 'The market is on Sunday.' };
  return serve(t, { '/search': { query: '', results: [found] } });
}
