import { sql } from "drizzle-orm";
import * as z from "zod";
import { mailChecks } from "~/db/schema/outbox";
import type { StaffActor } from "~/features/auth/guards.server";
import { receiveMail } from "~/features/inbound-mail/receive-mail.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import {
  changeProvenDomain,
  checkAddress,
  listMailChecks,
  type StartedCheck,
} from "~/features/mail/mail-checks.server";
import { pauseWords, readMailPause } from "~/features/mail/mail-pause.server";
import { failureWords } from "~/features/mail/model";
import { listCapturedMails } from "~/features/mail/queries.server";
import { MAIL_SETUP_PATH } from "~/features/settings/paths";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { ok } from "~/lib/errors";
import { excerpt, plural } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { FormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, invalid } from "~/platform/responses.server";
import { runCommand } from "~/platform/run-command.server";
import { readDnsRecords, senderDomain } from "./dns-records.server";
import {
  type CheckStep,
  confirmTestPath,
  type DirectionState,
  type DirectionView,
  type DnsRecord,
  LOST_AFTER,
  type MailSetupError,
  type WantedRow,
} from "./model";

const PURPOSE = "mail-setup";

export async function readMailSetup(ctx: Ctx, actor: StaffActor) {
  const [checks, pause, records, settings, { supportEmail }] = await Promise.all([
    listMailChecks(ctx.db),
    readMailPause(ctx.db),
    readDnsRecords(ctx),
    getSettings(ctx.db),
    effectiveBrand(ctx),
  ]);
  const { MAIL_INBOUND_DOMAIN: inbound = null, MAIL_PROVIDER: provider } = ctx.config;
  const out = checks.find((check) => check.direction === "out" && check.domain === senderDomain(ctx.config));
  const back = checks.find((check) => check.direction === "in" && check.domain === inbound);
  const delay = pause && pauseWords(pause, ctx, settings.timeZone);
  const isProven = inbound !== null && settings.provenInboundDomain === inbound;
  return {
    token: issueFormToken(ctx, PURPOSE),
    checkedAt: Math.min(...records.map(({ at }) => at)),
    sender: senderDomain(ctx.config),
    inbound,
    support: inbound ? `support@${inbound}` : null,
    isLocal: provider === "capture",
    isProven,
    recipients: [...new Set([actor.email, supportEmail].filter(Boolean))],
    out: outward(ctx, out, { support: supportEmail, delay }),
    back: inward(ctx, back, { inbound, isProven, delay }),
    /** What the link in the test mail brings along. */
    code: out && out.arrived_at === null ? (ctx.request.url.searchParams.get("code") ?? "") : null,
    rows: [...records.map(dnsRow), ...routingRows(inbound, back, isProven)],
  };
}

const secondsOf = ({ asked_at, arrived_at }: StartedCheck): string =>
  plural(Math.max(1, Math.round(((arrived_at ?? asked_at) - asked_at) / 1000)), "second");

const WAITING_HINT = "This takes up to a minute. Check again, or come back later.";

/** What has happened to a test mail so far, up to its arrival. */
const stepsOf = (check: StartedCheck, to: string): CheckStep[] => [
  { at: check.asked_at, text: `Sent to ${to}` },
  ...(check.sentAt === null
    ? []
    : [
        {
          at: check.sentAt,
          text: `Taken by the provider${check.providerId ? `, ${excerpt(check.providerId, 24)}` : ""}`,
        },
      ]),
];

function notArrived(
  { now }: Pick<Ctx, "now">,
  check: StartedCheck,
  steps: CheckStep[],
  delay: string | null,
): Pick<DirectionView, "state" | "words" | "steps"> {
  if (check.status === "delayed" && delay)
    return { state: "waiting", words: "Waits", steps: [...steps, { at: null, text: `Delayed${delay}` }] };
  const why = check.failure ? failureWords(check.failure) : null;
  const reason = why ? [{ at: null, text: `${why.charAt(0).toUpperCase()}${why.slice(1)}` }] : [];
  if (check.status === "dead" || check.status === "bounced")
    return {
      state: "failed",
      words: check.status === "dead" ? "Could not be sent" : "Came back",
      steps: [...steps, ...reason],
    };
  if (now() - check.asked_at < LOST_AFTER)
    return { state: "waiting", words: "On its way", steps: [...steps, ...reason] };
  const minutes = Math.floor((now() - check.asked_at) / 60_000);
  return { state: "failed", words: `Not arrived after ${plural(minutes, "minute")}`, steps: [...steps, ...reason] };
}

/** What to do about a test mail that has not arrived. `lost`: where to look for it once the provider has taken it. */
function hintOf({ status, sentAt }: StartedCheck, state: DirectionState, lost: string): string | null {
  if (status === "delayed") return null;
  if (state === "waiting") return WAITING_HINT;
  const isTaken = sentAt !== null || status === "dead";
  return isTaken
    ? lost
    : "The mail provider has not taken it: Settings → Advanced says under Mail queue what keeps it.";
}

function outward(
  ctx: Pick<Ctx, "now">,
  check: StartedCheck | undefined,
  { support, delay }: { support: string; delay: string | null },
): DirectionView {
  if (!check) return { state: "new", words: "Not proven yet", steps: [], hint: null };
  const steps = stepsOf(check, (check.recipient === "own" ? check.to : support) ?? "an administrator");
  if (check.arrived_at === null) {
    const view = notArrived(ctx, check, steps, delay);
    const lost = "Look at the records below, at the spam folder, and at the page of the mail provider.";
    return { ...view, hint: hintOf(check, view.state, lost) };
  }
  const isReported = check.arrival === "delivered";
  const text = isReported ? "Delivered, reported by the provider" : "Confirmed";
  return {
    state: "proven",
    words: isReported ? `Arrived in ${secondsOf(check)}` : `Arrived, confirmed after ${secondsOf(check)}`,
    steps: [...steps, { at: check.arrived_at, text }],
    hint: null,
  };
}

const UNTIL_PROVEN = "Until this is proven, no mail says “Answer this mail”.";
const STILL_PROVEN = "It was proven before, so mails still say “Answer this mail”.";

function inward(
  ctx: Pick<Ctx, "now">,
  check: StartedCheck | undefined,
  { inbound, isProven, delay }: { inbound: string | null; isProven: boolean; delay: string | null },
): DirectionView {
  if (inbound === null)
    return {
      state: "off",
      words: "Not set up",
      steps: [],
      hint: `Set MAIL_INBOUND_DOMAIN in wrangler.toml to the domain whose mail reaches this site, and deploy. ${UNTIL_PROVEN}`,
    };
  if (!check)
    return isProven
      ? { state: "proven", words: "Proven", steps: [], hint: null }
      : { state: "new", words: "Not proven yet", steps: [], hint: UNTIL_PROVEN };
  const steps = stepsOf(check, `support+test…@${inbound}`);
  const said = isProven ? STILL_PROVEN : UNTIL_PROVEN;
  if (check.arrived_at === null) {
    const view = notArrived(ctx, check, steps, delay);
    const lost = "Look below at MX, at the route and at subaddressing: one of them may lead it elsewhere.";
    return { ...view, hint: [hintOf(check, view.state, lost), said].filter(Boolean).join(" ") };
  }
  if (check.arrival === "without_detail")
    return {
      state: "failed",
      words: "Arrived without +detail",
      steps: [
        ...steps,
        { at: check.arrived_at, text: "It came back without the part after the +: subaddressing is off" },
      ],
      hint: said,
    };
  return {
    state: "proven",
    words: `Arrived in ${secondsOf(check)}`,
    steps: [...steps, { at: check.arrived_at, text: "Arrived here, with its +detail" }],
    hint: "Mails now say “Answer this mail”.",
  };
}

const dnsRow = ({ name, host, type, wanted, literal, found, flaw, state, fix }: DnsRecord): WantedRow => ({
  name,
  of: `${type} ${host}`,
  wanted: literal ?? wanted,
  literal: { wanted: literal !== null, found: found !== "" },
  found: found || (state === "attention" ? "Nothing" : "Not known"),
  state: state === "ok" ? "right" : state === "attention" ? "wrong" : "unknown",
  note: state === "ok" ? "" : [flaw, state === "off" ? null : fix].filter(Boolean).join(". "),
});

/** The platform tells nobody how its routing is set: only a test mail does. */
function routingRows(inbound: string | null, check: StartedCheck | undefined, isProven: boolean): WantedRow[] {
  const arrival = check?.arrival ?? (isProven ? "received" : null);
  const onlyATest = "Only a test mail shows it.";
  const of = inbound ? `support@${inbound}` : "support@ your receiving domain";
  return [
    {
      name: "Route",
      of,
      wanted: "To this Worker",
      ...(arrival === null
        ? { found: "Not known", state: "unknown", note: `${onlyATest} Email → Email Routing → Routing rules` }
        : { found: "To this Worker", state: "right", note: "" }),
    },
    {
      name: "Subaddressing",
      of: "Switch of Email Routing",
      wanted: "On",
      ...(arrival === "received"
        ? { found: "On", state: "right", note: "" }
        : arrival === "without_detail"
          ? { found: "Off", state: "wrong", note: "Email → Email Routing → Settings" }
          : { found: "Not known", state: "unknown", note: `${onlyATest} Email → Email Routing → Settings` }),
    },
  ];
}

type Intent = "test_out" | "test_in" | "confirm_out" | "forget_in";
type SetupAction<Input> = FormAction<StaffActor, null, MailSetupError, Input>;

const refused = (
  form: Intent,
  errors: MailSetupError["errors"],
  values: MailSetupError["values"] = {},
): ActionResult<MailSetupError> =>
  invalid({ title: form === "confirm_out" ? "Not confirmed" : "No mail was sent", errors, values, form });

const shared = (form: Intent): Pick<SetupAction<unknown>, "ability" | "purpose" | "failed" | "invalid"> => ({
  ability: "settings.change",
  purpose: PURPOSE,
  failed: form === "test_out" || form === "test_in" ? "Failed to send the test mail" : "Failed to save the test",
  invalid: ({ values, ...problem }) =>
    refused(form, problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors, values),
});

type Test = {
  direction: "out" | "in";
  recipient: "own" | "support" | "inbound";
  to: (token: string) => string;
  domain: string;
};

/** Sends one test mail. The one before is forgotten: only the last one of a direction counts. */
async function startTest(ctx: Ctx, actor: StaffActor, nonce: string, { direction, recipient, to, domain }: Test) {
  const limit = await takeLimit(ctx.db, "mail_test_user", actor.userId, ctx.now());
  if (!limit.allowed)
    return refused(`test_${direction}`, { form: "Many tests were sent within an hour. Try again later." });
  const token = testToken(ctx);
  const id = ctx.newId("mail");
  const path = direction === "out" ? confirmTestPath(token) : null;
  const row = { token, domain, recipient, mail_id: id, asked_by: actor.userId, asked_at: ctx.now() };
  const fresh = { ...row, arrived_at: null, arrival: null };
  const started = await runCommand(
    ctx,
    { scope: `mail-test-${direction}`, key: nonce },
    {
      read: async () => null,
      plan: () =>
        ok({
          resultId: id,
          statements: [
            enqueueMail(ctx, "mail-test", { id, to: to(token), about: null, data: { token, path } }),
            ctx.db
              .insert(mailChecks)
              .values({ direction, ...fresh })
              .onConflictDoUpdate({ target: mailChecks.direction, set: fresh }),
          ],
        }),
    },
  );
  if (started.ok && started.value === id) {
    if (ctx.mailer.provider === "capture") await deliverHere(ctx, { to: to(token), isForUs: direction === "in" });
    else ctx.after(deliverOutbox(ctx));
  }
  return done({ to: MAIL_SETUP_PATH, flash: { kind: "success", title: "Test mail sent", message: "" } });
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

const testToken = ({ newToken }: Pick<Ctx, "newToken">): string =>
  Array.from(Buffer.from(newToken(), "base64url").subarray(0, 16), (byte: number) => BASE32[byte % 32]).join("");

/** Where mail stays on this machine, it comes in as the platform would hand it over. */
async function deliverHere(ctx: Ctx, { to, isForUs }: { to: string; isForUs: boolean }): Promise<void> {
  await deliverOutbox(ctx);
  const [mail] = isForUs ? await listCapturedMails(ctx.db, to) : [];
  if (!mail) return;
  const headers = new Headers({ From: mail.from, To: mail.to, Subject: mail.subject, ...mail.headers });
  const head = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const body = new Blob([`${head}\r\n${mail.text}`]);
  await receiveMail(ctx, { from: mail.from, to, headers, size: body.size, open: () => body.stream() });
}

const Recipient = z.object({ to: z.string().max(254) });
const Code = z.object({ code: z.string().trim().toLowerCase().min(1, "Type the code of the test mail").max(40) });
const WRONG_CODE = "This is not the code of the last test mail.";

const test_out: SetupAction<z.output<typeof Recipient>> = {
  ...shared("test_out"),
  form: Recipient,
  run: async (ctx, actor, { input, nonce }) => {
    const { supportEmail } = await effectiveBrand(ctx);
    const to = input.to === supportEmail ? supportEmail : actor.email;
    const recipient = to === actor.email ? "own" : "support";
    return startTest(ctx, actor, nonce, {
      ...{ direction: "out", recipient, to: () => to, domain: senderDomain(ctx.config) },
    });
  },
};

const test_in: SetupAction<unknown> = {
  ...shared("test_in"),
  run: (ctx, actor, { nonce }) => {
    const domain = ctx.config.MAIL_INBOUND_DOMAIN;
    if (!domain) return refused("test_in", { form: "No receiving domain is set." });
    const to = (token: string) => checkAddress(token, domain);
    return startTest(ctx, actor, nonce, { direction: "in", recipient: "inbound", to, domain });
  },
};

const confirm_out: SetupAction<z.output<typeof Code>> = {
  ...shared("confirm_out"),
  form: Code,
  run: async (ctx, _actor, { input: { code }, fields, nonce }) => {
    const isLast = sql`direction = 'out' AND token = ${code}`;
    const confirmed = await runCommand(
      ctx,
      { scope: "mail-test-confirmed", key: nonce },
      {
        read: async () => null,
        plan: () =>
          ok({
            resultId: code,
            expects: [
              { that: sql`EXISTS (SELECT 1 FROM mail_checks WHERE ${isLast})`, otherwise: "wrong_code" as const },
            ],
            statements: [
              ctx.db
                .update(mailChecks)
                .set({ arrived_at: ctx.now(), arrival: "confirmed" })
                .where(sql`${isLast} AND arrived_at IS NULL`),
            ],
          }),
      },
    );
    if (!confirmed.ok) return refused("confirm_out", { code: WRONG_CODE }, { code: fields.code ?? "" });
    return done({ to: MAIL_SETUP_PATH, flash: { kind: "success", title: "Mail arrives", message: "" } });
  },
};

const forget_in: SetupAction<unknown> = {
  ...shared("forget_in"),
  run: async (ctx, _actor, { nonce }) => {
    await runCommand(
      ctx,
      { scope: "mail-test-forgotten", key: nonce },
      {
        read: () => changeProvenDomain(ctx, null),
        plan: (statements) =>
          ok({
            resultId: "in",
            statements: [...statements, ctx.db.delete(mailChecks).where(sql`direction = 'in'`)],
          }),
      },
    );
    const message = "Mails say how to reach the portal instead.";
    return done({ to: MAIL_SETUP_PATH, flash: { kind: "success", title: "No mail asks for an answer", message } });
  },
};

export const mailSetupActions = { test_out, test_in, confirm_out, forget_in };
