/**
 * What is used of a client of [node-zookeeper-client](https://www.npmjs.com/package/node-zookeeper-client), tested with 1.1. Nothing of it is
 * loaded by this package.
 */
export interface ZooKeeperClient {
  /** Begins to connect. */
  connect(): void;
  /** Ends the session, and with it all leases of it. */
  close(): void;
  /** Whether it is connected. */
  getState(): ZooKeeperState;
  /** For `state`. */
  on(event: 'state', listener: (state: ZooKeeperState) => void): unknown;
  /** How long the session lasts without contact, as the server has agreed to, in ms. */
  getSessionTimeout(): number;
  /** Creates a node. */
  create(path: string, data: Buffer, mode: number, callback: (error: unknown, path: string) => void): void;
  /** Removes a node. */
  remove(path: string, callback: (error: unknown) => void): void;
  /** Looks whether there is a node. */
  exists(path: string, callback: (error: unknown, stat: ZooKeeperStat | undefined) => void): void;
  /** The same, and tells when that changes. */
  exists(
    path: string,
    watcher: () => void,
    callback: (error: unknown, stat: ZooKeeperStat | undefined) => void,
  ): void;
  /** Reads a node. */
  getData(path: string, callback: (error: unknown, data: Buffer, stat: ZooKeeperStat) => void): void;
  /** Names what is below a node. */
  getChildren(path: string, callback: (error: unknown, children: string[]) => void): void;
  /** Writes a node. */
  setData(path: string, data: Buffer, callback: (error: unknown, stat: ZooKeeperStat) => void): void;
  /** Several changes at once. */
  transaction(): ZooKeeperTransaction;
}

/** Of a connection. */
export interface ZooKeeperState {
  readonly name: string;
}

/** Of a node: numbers of 64 bits as buffers. */
export interface ZooKeeperStat {
  readonly czxid: Buffer;
  readonly mtime: Buffer;
  readonly version: number;
}

/** What happens at once, or not at all. */
export interface ZooKeeperTransaction {
  /** Creates a node. */
  create(path: string, data: Buffer): this;
  /** Writes a node of some version. */
  setData(path: string, data: Buffer, version?: number): this;
  /** Demands that a node is there, in some version. */
  check(path: string, version?: number): this;
  /** Removes a node. */
  remove(path: string): this;
  /** Sends it. */
  commit(callback: (error: unknown) => void): void;
}

export const EPHEMERAL_SEQUENTIAL = 3;
