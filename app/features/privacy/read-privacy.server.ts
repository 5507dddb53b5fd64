import { identityRequest } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { countsFrom, isSameRule, ruleInForce } from "~/features/settings/model";
import { findRetention, getSettings } from "~/features/settings/queries.server";
import { isTrue } from "~/features/subjects/legal-hold.server";
import { days } from "~/lib/time";
import { searchField } from "~/lists/define-list";
import type { Ctx } from "~/platform/context.server";
import { furtherAddresses, isPersonHeld, isQueuedFor } from "./erase-person.server";
import {
  CONSENTS_SHOWN,
  COUNTED_MAX,
  countPerson,
  findClosureRequest,
  findPeople,
  findPersonalData,
  listClosureRequests,
  listConsents,
  listHolds,
  listRuns,
} from "./queries.server";
import { previewDeletion } from "./retention.server";

const TEXT = searchField();

export async function readPrivacy(ctx: Ctx, actor: StaffActor) {
  const { db, now, request } = ctx;
  const query = request.url.searchParams;
  const text = TEXT.parse(query.get("q") ?? "");
  const [people, closures, holds, runs, { retention }, { timeZone: zone }] = await Promise.all([
    text ? findPeople(db, text) : null,
    listClosureRequests(db),
    listHolds(db),
    listRuns(db),
    findRetention(db),
    getSettings(db),
  ]);
  const inForce = ruleInForce(retention, now());
  return {
    text,
    people,
    closures,
    holds,
    runs,
    zone,
    lifting: holds.find(({ id }) => id === query.get("lift")) ?? null,
    retention: {
      ...inForce,
      next: isSameRule(inForce, retention) ? null : { ...retention, from: countsFrom(retention) },
      preview: inForce.never ? null : await previewDeletion(db, now() - days(inForce.days)),
    },
    identity: identityRequest(ctx, actor),
  };
}

export async function readPersonPage(ctx: Ctx, actor: StaffActor, personId: string) {
  const person = await findPersonalData(ctx.db, personId);
  if (!person) return null;
  const emails = [person.email, ...(await furtherAddresses(ctx.db, person.email)).map(({ email }) => email)];
  const [counts, closureRequestedAt, isHeld, { timeZone: zone }] = await Promise.all([
    countPerson(ctx.db, person, isQueuedFor(ctx, emails)),
    person.userId ? findClosureRequest(ctx.db, person.userId) : null,
    isTrue(ctx.db, isPersonHeld(person)),
    getSettings(ctx.db),
  ]);
  return {
    person,
    counts,
    countedMax: COUNTED_MAX,
    closureRequestedAt,
    isHeld,
    isOwn: person.userId === actor.userId,
    zone,
    identity: identityRequest(ctx, actor),
  };
}

export async function readConsents({ db, request }: Pick<Ctx, "db" | "request">) {
  const before = request.url.searchParams.get("before") ?? "";
  const from = /^\d{1,12}$/.test(before) ? Number(before) : Number.MAX_SAFE_INTEGER;
  const [found, { timeZone: zone }] = await Promise.all([listConsents(db, from), getSettings(db)]);
  const consents = found.slice(0, CONSENTS_SHOWN);
  return { consents, zone, older: found.length > CONSENTS_SHOWN ? (consents.at(-1)?.position ?? null) : null };
}
