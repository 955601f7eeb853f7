// What may stand between a browser and the server: it can lose one way and keep the others.

import { createServer, request as ask } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { atEnd } from './program.mjs';

export class Proxy {
  #http;
  #sockets = new Set();
  #refuses = () => undefined;
  /** The paths asked for so far. */
  asked = [];

  static async start(t, server) {
    const proxy = new Proxy();
    proxy.server = server;
    proxy.#http = createServer((request, response) => proxy.#pass(request, response));
    proxy.#http.on('upgrade', (request, socket, head) => proxy.#upgrade(request, socket, head));
    proxy.#http.listen(0, '127.0.0.1');
    await once(proxy.#http, 'listening');
    atEnd(t, () => {
      proxy.#sockets.forEach(socket => socket.destroy());
      proxy.#http.closeAllConnections();
      proxy.#http.close();
    });
    return proxy;
  }

  /** Where browsers find the server now. */
  get url() {
    return `http://localhost:${this.#http.address().port}`;
  }

  /** From now on `statusOf(path)` says which requests get that status instead of an answer of the server's. */
  refuse(statusOf) {
    this.#refuses = statusOf;
    for (const socket of this.#sockets) if (statusOf(socket.path)) socket.destroy();
  }

  /** From now on everything passes. */
  pass() {
    this.#refuses = () => undefined;
  }

  get #port() {
    return new URL(this.server.url).port;
  }

  #pass(request, response) {
    const path = new URL(request.url, this.url).pathname;
    this.asked.push(path);
    const refused = this.#refuses(path);
    if (refused) return response.writeHead(refused).end();
    const { method, headers } = request;
    const passed = ask({ host: '127.0.0.1', port: this.#port, method, path: request.url, headers }, answer => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    // What proxies say when the server is away.
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    request.pipe(passed);
  }

  #upgrade(request, socket, head) {
    socket.path = new URL(request.url, this.url).pathname;
    socket.on('error', () => {});
    if (this.#refuses(socket.path)) return socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    const far = connect(this.#port, '127.0.0.1', () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2) lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      far.write(`${lines.join('\r\n')}\r\n\r\n`);
      far.write(head);
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy());
    socket.on('close', () => far.destroy());
    far.on('close', () => socket.destroy());
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
