/**
 * What a client of the SDK sends through.
 *
 * @typedef {import('../../src/testing/index.ts').SdkRequestHandler} Handler
 * @typedef {import('../../src/testing/index.ts').SdkRequest} HttpRequest
 * @typedef {{ requestHandler: Handler }} Config
 * @typedef {import('./check-sent-request.mjs').SentRequest} SentRequest
 */

/** @type {WeakSet<object>} */
const watched = new WeakSet();
/** @type {WeakSet<object>} */
const whole = new WeakSet();
/** @type {WeakMap<object, { check: (request: SentRequest) => void, everything: boolean }>} */
const auditors = new WeakMap();

/**
 * Shows `check` each request that the library sends from now on, before it leaves: through any client of this
 * process, since it is a method of the class of all clients that is replaced. What `check` throws, the client gets.
 * A later call takes the place of an earlier one.
 *
 * @param {{ prototype: object }} DynamoDBClient the SDK's class: of the copy of the SDK that the program uses
 * @param {(request: SentRequest) => void} check
 * @param {{ everything?: boolean }} [options] `everything`: also what others than the library send
 */
export function watchClients(DynamoDBClient, check, { everything = false } = {}) {
  const ofAllClients = Object.getPrototypeOf(DynamoDBClient.prototype);
  const known = auditors.has(ofAllClients);
  auditors.set(ofAllClients, { check, everything });
  if (known) return;
  const { send } = ofAllClients;
  /** @this {{ config: Config }} */
  ofAllClients.send = function (/** @type {unknown[]} */ ...args) {
    if (!watched.has(this.config)) watch(this.config);
    return send.apply(this, args);
  };

  /** @param {Config} config */
  function watch(config) {
    watched.add(config);
    const behind = config.requestHandler;
    config.requestHandler = {
      ...(behind.metadata === undefined ? {} : { metadata: behind.metadata }),
      async handle(http, options) {
        const auditor = /** @type {NonNullable<ReturnType<typeof auditors.get>>} */ (
          auditors.get(ofAllClients)
        );
        if (isTheLibrarys(http)) auditor.check(read(http));
        else if ((auditor.everything || whole.has(config)) && !createsTable(http)) auditor.check(read(http));
        return behind.handle(http, options);
      },
      destroy: () => behind.destroy(),
      updateHttpClientConfig: (key, value) => behind.updateHttpClientConfig(key, value),
      httpHandlerConfigs: () => behind.httpHandlerConfigs(),
    };
  }
}

/**
 * All that is sent through this client is shown, but that tables are created: for users of the kernel, who send themselves.
 *
 * @template {{ config: object }} C
 * @param {C} client
 * @returns {C}
 */
export function watchEverything(client) {
  whole.add(client.config);
  return client;
}

// The library numbers its copies itself, and does not tell how many there will be; the SDK always does.
/** @param {HttpRequest} http */
function isTheLibrarys({ headers }) {
  return /^attempt=\d+$/.test(headers['amz-sdk-request'] ?? '');
}

/** @param {HttpRequest} http */
function createsTable(http) {
  return read(http).op === 'CreateTable';
}

/**
 * @param {HttpRequest} http
 * @returns {SentRequest}
 */
function read({ headers, body }) {
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
  return { op: headers['x-amz-target']?.split('.').at(-1) ?? '', input: JSON.parse(text) };
}
