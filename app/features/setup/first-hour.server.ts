import { sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { senderDomain } from "~/features/mail-setup/dns-records.server";
import { readDomains } from "~/features/organization-management/forms.server";
import { brandSettings } from "~/features/settings/brand-settings";
import { publishSettings, saveSetting } from "~/features/settings/publish-settings.server";
import { getSettings } from "~/features/settings/queries.server";
import type { SettingKey, ShortSettings } from "~/features/settings/settings.server";
import { groupPath } from "~/features/settings-management/model";
import { isActiveAdmin } from "~/features/user-management/queries.server";
import { FIRST_HOUR_PATH } from "~/lib/addresses";
import { domainOf } from "~/lib/email";
import { ok } from "~/lib/errors";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, formTokens, rejectButton } from "~/platform/form-actions.server";
import { denied, done } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { exampleFacts, type FirstHourFacts, type FirstHourStep, firstHourSteps } from "./first-hour";

type FactRow = Omit<FirstHourFacts, "hasHours" | "hasPrices" | "isTicketAnswered" | "waitingTicket"> & {
  hours: number;
  prices: number;
  answered: number;
  ticketNumber: number | null;
  ticketTitle: string | null;
};

/** Reads a handful of rows, in one round trip. */
async function readFacts({ config, db }: Pick<Ctx, "config" | "db">): Promise<FirstHourFacts> {
  const [row] = await db.all<FactRow>(sql`
    SELECT EXISTS (SELECT 1 FROM settings WHERE key IN ('openTimes', 'timeZone')) AS hours,
      EXISTS (SELECT 1 FROM settings WHERE key = 'prices') AS prices,
      (SELECT arrived_at FROM mail_checks WHERE direction = 'out' AND domain = ${senderDomain(config)}) AS mailProvenAt,
      (SELECT u.full_name FROM settings s JOIN users u ON u.id = s.updated_by WHERE s.key = 'legalReviewedAt') AS reviewedBy,
      (SELECT max(updated_at) FROM settings WHERE key IN ('termsText', 'privacyText')) AS legalChangedAt,
      (SELECT full_name FROM users WHERE is_staff = 1 AND factor_state = 'on' ORDER BY number LIMIT 1 OFFSET 1) AS colleague,
      (SELECT full_name FROM users WHERE is_staff = 1 AND factor_state = 'none' AND status = 'pending' LIMIT 1)
        AS invitedColleague,
      (SELECT o.name FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
        WHERE m.status = 'active' ORDER BY m.number LIMIT 1) AS client,
      (SELECT name FROM organizations LIMIT 1) AS organization,
      EXISTS (SELECT 1 FROM ticket_messages m WHERE m.side = 'staff' AND ${isPublic()}) AS answered,
      t.number AS ticketNumber, t.title AS ticketTitle
    FROM (SELECT 1) LEFT JOIN support_tickets t ON t.number = (SELECT min(number) FROM support_tickets)`);
  const {
    hours = 0,
    prices = 0,
    answered = 0,
    ticketNumber = null,
    ticketTitle = null,
    ...facts
  } = row ?? ({} as FactRow);
  return {
    ...facts,
    hasHours: hours === 1,
    hasPrices: prices === 1,
    isTicketAnswered: answered === 1,
    waitingTicket: ticketNumber === null ? null : { number: `T-${ticketNumber}`, title: ticketTitle ?? "" },
  };
}

async function readFirstHour(ctx: Ctx): Promise<{ settings: ShortSettings; steps: FirstHourStep[] }> {
  const [settings, facts] = await Promise.all([getSettings(ctx.db), readFacts(ctx)]);
  const steps = firstHourSteps(settings, facts, ctx.now());
  // Once it is over, it stays so: nobody sets up a company that has long been working.
  if (settings.firstHourDoneAt === null && steps.every(({ state }) => state === "done"))
    await commit(ctx.db, [saveSetting(ctx, "firstHourDoneAt", ctx.now())]);
  return { settings, steps };
}

/** Counts what is left. Null: the first hour is over. */
export async function countStepsLeft(ctx: Ctx): Promise<{ left: number; next: string } | null> {
  const { settings, steps } = await readFirstHour(ctx);
  const open = steps.filter(({ state }) => state !== "done");
  return settings.firstHourDoneAt === null && open[0] ? { left: open.length, next: open[0].title } : null;
}

/** The domain of the administrator's own address, if it can be the company's. */
const ownDomain = ({ email }: StaffActor): string | null => readDomains(domainOf(email)).domains[0] ?? null;

export async function readFirstHourPage(ctx: Ctx, actor: StaffActor) {
  const { settings, steps } = await readFirstHour(ctx);
  const { name, address, phone, founder, story, networkBrand, email } = brandSettings(settings.brand);
  const examples = exampleFacts({ name, email, phone, address });
  const unwritten = [
    ...(story && founder
      ? []
      : [
          {
            label: "Your story, and who tells it",
            text: "Why Choose Us reads well without it.",
            to: groupPath("content-story"),
          },
        ]),
    ...(networkBrand
      ? []
      : [{ label: "The brand of network gear you use", text: "No brand is named.", to: groupPath("content-network") }]),
  ];
  return {
    steps,
    domain: settings.companyDomain === "" ? ownDomain(actor) : null,
    site: { name, phone, address: address.join(", "), examples },
    unwritten,
    tokens: formTokens(ctx, actor, firstHourActions),
  };
}

const FAILED = "Failed to save settings";

type Choice = { key: SettingKey; value: unknown; changed: string };

/** A button that stores one setting. Pressed twice, the second press says what the first has said. */
const button = (
  choose: (ctx: Ctx, actor: StaffActor) => Choice | null,
  after: Parameters<typeof done>[0],
  isPublished = false,
): FormAction<StaffActor, null, never, unknown> => ({
  ability: "settings.change",
  purpose: "first-hour",
  failed: FAILED,
  invalid: (problem) => rejectButton(FIRST_HOUR_PATH, problem, FAILED),
  run: async (ctx, actor, { nonce }) => {
    const choice = choose(ctx, actor);
    if (!choice) return done({ to: FIRST_HOUR_PATH });
    const { key, value, changed } = choice;
    const subject = { type: "settings", id: key, label: null } as const;
    const audit = recordAudit(ctx, "settings.changed", {
      subject,
      meta: { after: { [key]: value }, changed: [changed] },
    });
    const saved = await runCommand(
      ctx,
      { scope: "first-hour", key: nonce },
      {
        read: async () => null,
        plan: (): Planned<"denied"> =>
          ok({
            resultId: key,
            expects: [{ that: isActiveAdmin(actor.userId), otherwise: "denied" }],
            statements: [saveSetting(ctx, key, value), audit],
          }),
      },
    );
    if (!saved.ok) return denied();
    if (isPublished) await publishSettings(ctx);
    return done(after);
  },
});

export const firstHourActions = formActions<StaffActor, null, never>()({
  reviewed: button((ctx) => ({ key: "legalReviewedAt", value: ctx.now(), changed: "Terms and privacy: reviewed" }), {
    to: FIRST_HOUR_PATH,
    flash: { kind: "success", title: "Reviewed", message: "Your name and the time are kept with it." },
  }),
  seen: button((ctx) => ({ key: "siteSeenAt", value: ctx.now(), changed: "The site: looked at" }), {
    to: "/",
    newDocument: true,
    flash: { kind: "info", title: "Your site", message: "As visitors see it. “Admin” leads back." },
  }),
  domain: button(
    (_ctx, actor) => {
      const domain = ownDomain(actor);
      return domain === null
        ? null
        : { key: "companyDomain", value: domain, changed: `Company domain: nothing to ${domain}` };
    },
    { to: FIRST_HOUR_PATH, flash: { kind: "success", title: "Settings Saved", message: "They count from now on." } },
    true,
  ),
});
