/** Something to type into a shell, and the status that it is answered with. */
export interface Line {
  readonly text: string;
  readonly status: number;
  readonly command: string;
}

/** One thing after another, in one shell. */
export interface Chapter {
  readonly title: string;
  readonly lines: readonly Line[];
}

/**
 * What to try, so that all of it works as it is printed, whenever and however often.
 *
 * @param url where the server is.
 * @param day when there are slots, as `2026-03-02`.
 */
export function story(url: string, day: string): Chapter[] {
  const ann = `${url}/accounts/ann`;
  const slot = `${url}/slots/room-1@${day}T09:00Z`;
  // Prints the status of the answer, and keeps its fence in a variable of the shell.
  const keeping = (name: string, what: string) =>
    `${name}=$(curl -s -D - -o /dev/null -w '%{stderr}%{http_code}\\n' ${what} | sed -n 's/^fencing-token: //p' | tr -d '\\r')`;
  const json = (body: object) => `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const pay = (amount: number, key: string, fence?: string) =>
    [
      `curl -si ${ann}/transfers`,
      ...(fence === undefined ? [] : [`-H "Fencing-Token: $${fence}"`]),
      `-H "Idempotency-Key: ${key}-$run" ${json({ to: 'bob', amount })}`,
    ].join(' ');
  const change = (verb: string) => `curl -si -X POST ${slot}/${verb} -H "Fencing-Token: $seat"`;
  return [
    {
      title: 'The ledger: who pays borrows the account, and shows the fence with the transfer',
      lines: [
        { text: 'The account', status: 200, command: `curl -si ${ann}` },
        {
          text: 'Borrow it for one transfer',
          status: 201,
          command: `run=$(date +%s)-$$; ${keeping('first', `-X POST ${ann}/lease`)}`,
        },
        { text: 'Pay', status: 201, command: pay(30, 'rent', 'first') },
        {
          text: 'The same again, as after a lost answer: nothing moves twice',
          status: 200,
          command: pay(30, 'rent', 'first'),
        },
        { text: 'Somebody else borrows it', status: 201, command: keeping('second', `-X POST ${ann}/lease`) },
        { text: 'Be late: the first fence is out of date', status: 412, command: pay(20, 'late', 'first') },
        { text: 'Pay without a fence', status: 428, command: pay(20, 'none') },
        { text: 'Pay with the second one', status: 201, command: pay(20, 'tea', 'second') },
      ],
    },
    {
      title: 'The bookings: who holds a slot shows its fence to confirm or to cancel',
      lines: [
        { text: 'What is free tomorrow', status: 200, command: `curl -si ${url}/days/${day}` },
        {
          text: 'Hold a slot',
          status: 201,
          command: keeping('seat', `${slot}/hold ${json({ customer: 'ann' })}`),
        },
        {
          text: 'Somebody else wants it',
          status: 409,
          command: `curl -si ${slot}/hold ${json({ customer: 'bob' })}`,
        },
        { text: 'Confirm it', status: 200, command: change('confirm') },
        {
          text: 'Nobody confirms it without a fence',
          status: 428,
          command: `curl -si -X POST ${slot}/confirm`,
        },
        { text: 'Give it back', status: 200, command: change('cancel') },
      ],
    },
  ];
}
