// A Lambda runtime, as far as a handler sees it: loads the module that it is given, and calls its handler with every event that its
// parent sends. With logs as JSON a console writes no lines of its own, as in Lambda; the output itself is left alone.
const [file = ''] = process.argv.slice(2);

for (const level of /** @type {const} */ (['debug', 'info', 'log', 'warn', 'error'])) {
  console[level] = (...message) => {
    process.stdout.write(`${JSON.stringify({ level, message: message.map(String).join(' ') })}\n`);
  };
}

const { handler } = await import(file);

process.on('message', async ({ id, event }) => {
  const answer = await handler(event, {}).then(
    (/** @type {unknown} */ result) => ({ id, result }),
    (/** @type {Error} */ error) => ({ id, error: error.stack }),
  );
  process.send?.(answer);
});
// Where its parent is gone.
process.on('disconnect', () => process.exit());
process.send?.('ready');
