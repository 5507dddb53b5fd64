import { expect, test } from "vitest";
import { smokeTest } from "../../../scripts/lib/smoke-test.mjs";

const ORIGIN = "https://support.acme-it.net";

type Answer = number | string;

/** Answers each question by what the network does at that time, in milliseconds: a status, or the code of an error. */
function network(at: (time: number) => Answer) {
  let time = 0;
  const printed: string[] = [];
  const clock = {
    now: () => time,
    wait: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const fetch = async () => {
    const answer = at(time);
    if (typeof answer === "number") return new Response("", { status: answer });
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: answer } });
  };
  const run = () => smokeTest(ORIGIN, { fetch, print: (text: string) => printed.push(text), clock });
  return { run, printed, time: () => time };
}

const MINUTE = 60_000;

test("a first certificate is waited for, and each thing that is in the way is said once", async () => {
  const site = network((time) => {
    if (time < MINUTE) return "ENOTFOUND";
    return time < 7 * MINUTE ? "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE" : 200;
  });
  expect(await site.run()).toBeNull();
  expect(site.printed).toHaveLength(2);
  expect(site.printed[0]).toContain("no DNS record for support.acme-it.net yet (ENOTFOUND)");
  expect(site.printed[1]).toContain("no certificate for support.acme-it.net yet (ERR_SSL");
});

test.each([
  ["EAI_AGAIN", "no DNS record"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "no certificate"],
  ["EPROTO", "no certificate"],
  ["CERT_HAS_EXPIRED", "no certificate"],
  ["ECONNREFUSED", "does not answer: ECONNREFUSED"],
  [421, "does not take support.acme-it.net for the host of its APP_ORIGIN"],
  [503, "answers 503: the worker misses something"],
  [404, "no worker answers there"],
  [302, "answers 302"],
] as [Answer, string][])("a site that says %s in the end is not called deployed", async (answer, text) => {
  const site = network(() => answer);
  expect((await site.run())?.text).toContain(text);
});

test("what only time can mend is waited for longer than what is wrong", async () => {
  const [young, wrong] = [network(() => "ENOTFOUND"), network(() => 503)];
  await young.run();
  await wrong.run();
  expect(young.time()).toBeGreaterThan(10 * MINUTE);
  expect(wrong.time()).toBeLessThan(2 * MINUTE);
});
