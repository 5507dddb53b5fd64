import { afterEach, describe, expect, test, vi } from "vitest";
import type { Db } from "~/db/client.server";
import { type Attempt, MAX_ATTEMPTS, nextStep } from "~/features/mail/lease-outbox.server";
import { nextProbe } from "~/features/mail/mail-pause.server";
import { hours, minutes, seconds } from "~/lib/time";
import type { Bindings, Config } from "~/platform/env.server";
import { mailerFor, type OutgoingMail, type SendOutcome } from "~/platform/mailer.server";

describe("mail services", () => {
  const MAIL: OutgoingMail = {
    id: "mail_01",
    to: "priya@larkspur.example",
    from: "Wrenfield <hello@wrenfield.example>",
    subject: "We have your request: L-1007",
    text: "Hello",
    html: "<p>Hello</p>",
    headers: {
      "Message-ID": "<mail_01@wrenfield.example>",
      "Auto-Submitted": "auto-generated",
      "Reply-To": "dana@clinic.example",
    },
  };

  const mailer = (config: Partial<Config>, env: Partial<Bindings> = {}) =>
    mailerFor(env as Bindings, config as Config, {} as Db, () => 0);

  const HTTP = { MAIL_PROVIDER: "http", MAIL_API_URL: "https://mail.example/send", MAIL_API_KEY: "secret" } as const;

  /** Stands for the provider: answers, and remembers what it was asked. */
  function provider(answer: () => Response | Promise<Response>) {
    const calls: { url: string; init: RequestInit }[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      calls.push({ url, init });
      return answer();
    });
    return calls;
  }

  afterEach(() => vi.unstubAllGlobals());

  test("the http provider gets the mail as JSON, our key, and the same idempotency key on every try", async () => {
    const calls = provider(() => Response.json({ id: "1" }));
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "sent", messageId: "1" });
    const { id: _id, ...body } = MAIL;
    expect(JSON.parse(String(calls[0]?.init.body))).toEqual(body);
    expect(calls[0]?.url).toBe(HTTP.MAIL_API_URL);
    expect(calls[0]?.init).toMatchObject({
      method: "POST",
      redirect: "manual",
      headers: { Authorization: "Bearer secret", "Idempotency-Key": "mail_01", "Content-Type": "application/json" },
    });
    expect(calls[0]?.init.signal).toBeInstanceOf(AbortSignal);
  });

  test("files go to both providers under their names, and a name that would add a header goes nowhere", async () => {
    const calls = provider(() => Response.json({ id: "1" }));
    const file = { name: "Plan ü.pdf", type: "application/octet-stream", bytes: new Uint8Array([1, 2, 255]) };
    await mailer(HTTP).send({ ...MAIL, files: [file] });
    expect(JSON.parse(String(calls[0]?.init.body)).attachments).toEqual([
      { filename: file.name, content_type: file.type, content: "AQL/" },
    ]);
    const send = vi.fn(async (_: unknown) => ({ messageId: "1" }));
    const binding = mailer({ MAIL_PROVIDER: "cloudflare" }, { MAIL: { send } as unknown as SendEmail });
    await binding.send({ ...MAIL, files: [file] });
    expect(send.mock.calls[0]?.[0]).toMatchObject({
      attachments: [{ disposition: "attachment", filename: file.name, type: file.type, content: file.bytes }],
    });
    const bad = { ...file, name: "a\r\nBcc: e@vil.example" };
    expect(await binding.send({ ...MAIL, files: [bad] })).toEqual({ kind: "permanent", reason: "invalid_header" });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test.each([
    ["no JSON", () => new Response("ok")],
    ["no id", () => Response.json(null)],
    ["an id that is no text", () => Response.json({ id: 7 })],
  ])("a mail that the http provider took is sent, though the answer has %s", async (_, answer) => {
    provider(answer);
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "sent", messageId: undefined });
  });

  test.each([
    [200, "sent"],
    [202, "sent"],
    [302, "configuration"],
    [400, "permanent"],
    [401, "configuration"],
    [403, "configuration"],
    [404, "permanent"],
    [408, "transient"],
    [422, "permanent"],
    [429, "rate_limited"],
    [500, "transient"],
    [503, "transient"],
  ] as const)("an answer %i of the http provider means %s", async (status, kind) => {
    provider(() => new Response(null, { status }));
    expect((await mailer(HTTP).send(MAIL)).kind).toBe(kind);
  });

  test.each([
    [{ name: "daily_quota_exceeded", message: "You have reached your daily email quota." }, {}, "http_429_quota"],
    [{ name: "monthly_quota_exceeded", message: "You have reached your monthly email quota." }, {}, "http_429_monthly"],
    [{ error: "Daily limit exceeded", retry_after: 41_200 }, {}, "http_429_quota"],
    [{}, { "retry-after": "41200" }, "http_429_quota"],
  ])("429 is a quota when its body says so, or when it is to last: %j %j", async (body, headers, reason) => {
    provider(() => Response.json(body, { status: 429, headers: headers as Record<string, string> }));
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "quota", reason });
  });

  test("429 for mails that come too fast is no quota", async () => {
    const body = { name: "rate_limit_exceeded", message: "You can only make 5 requests per second." };
    provider(() => Response.json(body, { status: 429, headers: { "retry-after": "1" } }));
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "rate_limited", reason: "http_429" });
  });

  test("an http provider that cannot be reached gives an unclear answer, and nothing is thrown", async () => {
    provider(() => Promise.reject(new TypeError("connect to mail.example failed for priya@larkspur.example")));
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "unknown", reason: "unreachable" });
    provider(() => Promise.reject(new DOMException("took too long", "TimeoutError")));
    expect(await mailer(HTTP).send(MAIL)).toEqual({ kind: "unknown", reason: "timeout" });
  });

  /** Stands for Cloudflare's binding. */
  function binding(fail?: Error) {
    const sent: Record<string, unknown>[] = [];
    const send = async (message: Record<string, unknown>) => {
      if (fail) throw fail;
      sent.push(message);
      return { messageId: "1" };
    };
    return { sent, env: { MAIL: { send } as unknown as SendEmail } };
  }

  const CLOUDFLARE = { MAIL_PROVIDER: "cloudflare" } as const;

  test("Cloudflare gets headers of its own in their fields, and none that it writes itself", async () => {
    const { sent, env } = binding();
    expect(await mailer(CLOUDFLARE, env).send(MAIL)).toEqual({ kind: "sent", messageId: "1" });
    expect(sent).toEqual([
      {
        to: MAIL.to,
        from: { name: "Wrenfield", email: "hello@wrenfield.example" },
        subject: MAIL.subject,
        text: MAIL.text,
        html: MAIL.html,
        replyTo: "dana@clinic.example",
        headers: { "Auto-Submitted": "auto-generated" },
      },
    ]);
  });

  test.each([
    ["E_VALIDATION_ERROR", "permanent"],
    ["E_FIELD_MISSING", "permanent"],
    ["E_TOO_MANY_RECIPIENTS", "permanent"],
    ["E_CONTENT_TOO_LARGE", "permanent"],
    ["E_RECIPIENT_SUPPRESSED", "suppressed"],
    ["E_RECIPIENT_NOT_ALLOWED", "permanent"],
    ["E_HEADER_VALUE_INVALID", "permanent"],
    ["E_HEADERS_TOO_MANY", "permanent"],
    ["E_SENDER_NOT_VERIFIED", "configuration"],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", "configuration"],
    ["E_RATE_LIMIT_EXCEEDED", "rate_limited"],
    ["E_INTERNAL_SERVER_ERROR", "transient"],
    ["E_DELIVERY_FAILED", "transient"],
    ["E_DAILY_LIMIT_EXCEEDED", "quota"],
  ] as const)("%s of Cloudflare means %s", async (code, kind) => {
    const { env } = binding(Object.assign(new Error("rejected"), { code }));
    expect(await mailer(CLOUDFLARE, env).send(MAIL)).toEqual({ kind, reason: code });
  });

  test("an error of Cloudflare without a code is an unclear answer, and its words are not kept", async () => {
    const { env } = binding(new Error("internal error for priya@larkspur.example"));
    expect(await mailer(CLOUDFLARE, env).send(MAIL)).toEqual({ kind: "unknown", reason: "no_code" });
  });

  test("only Cloudflare cannot recognize a repeated send", () => {
    expect(mailer(CLOUDFLARE).isIdempotent).toBe(false);
    expect(mailer(HTTP).isIdempotent).toBe(true);
    expect(mailer({ MAIL_PROVIDER: "capture" }).isIdempotent).toBe(true);
  });

  test("a missing binding or key is a matter of set-up", async () => {
    expect((await mailer(CLOUDFLARE).send(MAIL)).kind).toBe("configuration");
    expect((await mailer({ MAIL_PROVIDER: "http" }).send(MAIL)).kind).toBe("configuration");
  });

  test.each([
    ["subject", { subject: "Hi\r\nBcc: victim@example.org" }],
    ["sender", { from: "Wrenfield\n<hello@wrenfield.example>" }],
    ["header", { headers: { "Reply-To": "a@b.example\r\nBcc: victim@example.org" } }],
    ["header name", { headers: { "X-A: 1\r\nBcc": "victim@example.org" } }],
  ])("a line break in the %s is rejected: nothing leaves", async (_part, change) => {
    const calls = provider(() => new Response(null));
    expect(await mailer(HTTP).send({ ...MAIL, ...change })).toEqual({ kind: "permanent", reason: "invalid_header" });
    expect(calls).toEqual([]);
  });

  test.each([
    "a@x.example,b@y.example",
    "a,b@x.example",
    "Priya <a@x.example>",
    "a@x.example\nb@y.example",
    "",
    "x",
  ])("%j is not one recipient: nothing leaves", async (to) => {
    const calls = provider(() => new Response(null));
    expect(await mailer(HTTP).send({ ...MAIL, to })).toEqual({ kind: "permanent", reason: "invalid_recipient" });
    expect(calls).toEqual([]);
  });
});

const NOW = Date.parse("2026-11-18T15:00:00Z");

const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  attempts: 1,
  isIdempotent: true,
  now: NOW,
  age: 0,
  random: 1,
  ...changes,
});

const transient: SendOutcome = { kind: "transient", reason: "http_503" };

const unknown: SendOutcome = { kind: "unknown", reason: "timeout" };

test("a mail that was taken is sent", () => {
  expect(nextStep({ kind: "sent", messageId: "1" }, attempt())).toEqual({ status: "sent", messageId: "1" });
});

test("a rejection for good is not tried again", () => {
  expect(nextStep({ kind: "permanent", reason: "http_422" }, attempt())).toEqual({ status: "dead" });
});

test("the longest wait doubles with each try", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => {
    const step = nextStep(transient, attempt({ attempts }));
    return step.status === "pending" ? (step.at ?? 0) - NOW : null;
  });
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920].map(seconds));
});

test("the wait is drawn from the whole range, so that mails do not come back together", () => {
  expect(nextStep(transient, attempt({ attempts: 3, random: 0 }))).toEqual({
    status: "pending",
    at: NOW,
    counts: true,
  });
  const half = nextStep(transient, attempt({ attempts: 3, random: 0.5 }));
  expect(half).toEqual({ status: "pending", at: NOW + minutes(1), counts: true });
});

test("the eighth failure is the last one", () => {
  expect(nextStep(transient, attempt({ attempts: MAX_ATTEMPTS - 1 })).status).toBe("pending");
  expect(nextStep(transient, attempt({ attempts: MAX_ATTEMPTS }))).toEqual({ status: "dead" });
});

test("wrong set-up is tried hourly, however long its repair takes", () => {
  const step = nextStep({ kind: "configuration", reason: "http_401" }, attempt({ attempts: 50 }));
  expect(step).toEqual({ status: "pending", at: NOW + hours(1), counts: false });
});

test("a quota that is used up costs a mail no attempt and no place in the order, however often it is met", () => {
  const outcome: SendOutcome = { kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" };
  expect(nextStep(outcome, attempt({ attempts: 50 }))).toEqual({ status: "pending", at: null, counts: false });
});

test("during a used-up quota a mail is tried each hour, and soon after the day begins by the clock of providers", () => {
  expect(nextProbe(NOW, 1)).toBe(NOW + hours(1));
  const midnight = Date.parse("2026-11-19T00:00:00Z");
  expect(nextProbe(midnight - minutes(30), 0)).toBe(midnight);
  expect(nextProbe(midnight - minutes(50), 1)).toBe(midnight + minutes(10));
  expect(nextProbe(midnight - minutes(30), 1)).toBe(midnight + minutes(15));
  expect(nextProbe(midnight, 0)).toBe(midnight + hours(1));
});

test.each([
  [0, seconds(30)],
  [minutes(10), minutes(10)],
  [hours(9), hours(1)],
])("a mail of %d ms that came too fast is tried within %d ms, without ever being given up", (age, longest) => {
  const outcome: SendOutcome = { kind: "rate_limited", reason: "http_429" };
  const step = nextStep(outcome, attempt({ attempts: 50, age }));
  expect(step).toEqual({ status: "pending", at: NOW + longest, counts: false });
});

test("an unclear answer is tried again only where a second send is recognized", () => {
  expect(nextStep(unknown, attempt({ isIdempotent: true })).status).toBe("pending");
  expect(nextStep(unknown, attempt({ isIdempotent: false }))).toEqual({ status: "uncertain" });
});

test("a clear rejection is tried again even where a second send would not be recognized", () => {
  expect(nextStep(transient, attempt({ isIdempotent: false })).status).toBe("pending");
});
