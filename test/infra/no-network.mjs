// Loaded before a program: tells on standard error whom it tries to reach, and lets nobody be reached but this machine.

import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const connect = net.Socket.prototype.connect;

/** @type {typeof connect} */
net.Socket.prototype.connect = /** @this {net.Socket} */ function (/** @type {any[]} */ ...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const host = typeof first === 'object' ? (first.host ?? first.path) : second;
  if (typeof first === 'object' && first.path !== undefined) return Reflect.apply(connect, this, args);
  if (['127.0.0.1', '::1', 'localhost', undefined].includes(host)) return Reflect.apply(connect, this, args);
  process.stderr.write(`tried to reach ${host}\n`);
  this.destroy(new Error(`tried to reach ${host}`));
  return this;
};
syncBuiltinESMExports();
