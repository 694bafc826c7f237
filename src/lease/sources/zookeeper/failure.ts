/** The codes of ZooKeeper that are told apart. */
const CONNECTION_LOSS = -4;
const OPERATION_TIMEOUT = -7;
const NO_NODE = -101;
const BAD_VERSION = -103;
const NODE_EXISTS = -110;
const SESSION_EXPIRED = -112;
const SESSION_MOVED = -118;

function codeOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'number' ? code : undefined;
}

export function isNoNode(error: unknown): boolean {
  return codeOf(error) === NO_NODE;
}

export function isThere(error: unknown): boolean {
  return codeOf(error) === NODE_EXISTS;
}

/** Somebody else was quicker: look again. */
export function isOvertaken(error: unknown): boolean {
  return codeOf(error) === BAD_VERSION || isNoNode(error);
}

const forNow = new Set<number | undefined>([
  CONNECTION_LOSS,
  OPERATION_TIMEOUT,
  SESSION_EXPIRED,
  SESSION_MOVED,
]);

/** Whether the server has answered that it will not: a missing permission, for one. */
export function isForGood(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !forNow.has(code);
}

/** The session has ended, and all that belonged to it. */
export class SessionOver extends Error {
  override readonly name = 'SessionOver';
}
