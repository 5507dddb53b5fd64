import { type SQL, sql } from "drizzle-orm";
import { type Db, expectThat, type Statement } from "~/db/client.server";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { DEFAULT_SETTINGS, type SiteSettings } from "~/features/settings/settings.server";
import { fileSize, waitInWords } from "~/lib/text";
import { days, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { RATE_LIMITS } from "~/platform/rate-limits.server";
import { NotNow } from "~/platform/run-command.server";

/**
 * The sum of an organization is kept by triggers, that of a person is a rate limit. Both are asked before a file is
 * stored, while it arrives, and inside the batch.
 */

export type Sender = { userId: string | null; contactId?: string; side: "staff" | "client" | "system" };

const GIB = 1024 ** 3;
const TYPE = "file_bytes_user";
const QUOTA_KEY = "fileQuotaGb" satisfies keyof SiteSettings;

const dayOf = (now: Instant): number => Math.floor(now / days(1));
/** What comes by mail of somebody without an account is counted for their organization, until they are known for it. */
const identifierOf = ({ userId, contactId }: Sender, organizationId: string | null | undefined, now: Instant): string =>
  `${userId ?? contactId ?? organizationId}:${dayOf(now)}`;

const quota = sql`coalesce((SELECT CAST(value_json AS INTEGER) FROM settings WHERE key = ${QUOTA_KEY}),
  ${DEFAULT_SETTINGS.fileQuotaGb}) * ${GIB}`;
const sentOf = (identifier: string): SQL => sql`coalesce((SELECT attempts FROM rate_limit_attempts
  WHERE attempt_type = ${TYPE} AND identifier = ${identifier}), 0)`;
const storedOf = (organizationId: SQL): SQL =>
  sql`coalesce((SELECT file_bytes FROM ticket_counts WHERE organization_id = ${organizationId}), 0)`;

export type FileRoom = {
  sent: number;
  perDay: number;
  stored: number;
  quota: number;
  isNew: boolean;
  isStaff: boolean;
  at: Instant;
};

const perDayOf = (isNew: boolean): number => RATE_LIMITS[isNew ? "file_bytes_new_user" : TYPE].limit;

export const roomLeft = ({ sent, perDay, stored, quota: most }: FileRoom): number =>
  Math.max(0, Math.min(perDay - sent, most - stored));

export async function readFileRoom(
  { db, now }: Pick<Ctx, "db" | "now">,
  sender: Sender,
  organizationId: string | null,
): Promise<FileRoom> {
  return (await readRooms({ db, now }, sender, [organizationId]))[0] as FileRoom;
}

export async function readMostFileRoom(
  ctx: Pick<Ctx, "db" | "now">,
  sender: Sender,
  organizationIds: readonly (string | null)[],
): Promise<FileRoom> {
  const rooms = await readRooms(ctx, sender, organizationIds);
  return rooms.reduce((most, room) => (roomLeft(room) > roomLeft(most) ? room : most));
}

async function readRooms(
  { db, now }: { db: Pick<Db, "all">; now: Ctx["now"] },
  sender: Sender,
  organizationIds: readonly (string | null)[],
): Promise<FileRoom[]> {
  const at = now();
  const rows = await db.all<{ sent: number; stored: number; quota: number; isNew: number }>(sql`
    SELECT ${sentOf(identifierOf(sender, organizationIds[0], at))} AS sent, ${storedOf(sql`o.id`)} AS stored, ${quota} AS quota,
      o.needs_review_at IS NOT NULL AS isNew
    FROM json_each(${JSON.stringify(organizationIds)}) asked LEFT JOIN organizations o ON o.id = asked.value`);
  const isStaff = sender.side === "staff";
  return rows.map((row) => {
    const isNew = row.isNew === 1 && !isStaff;
    return { ...row, isNew, perDay: perDayOf(isNew), isStaff, at };
  });
}

/** Throws `NotNow` where the files of a ticket are more than there is room for. */
export async function checkFileRoom(
  ctx: Pick<Ctx, "db" | "now">,
  sender: Sender,
  { organizationId, files = [] }: { organizationId: string; files?: readonly { size: number }[] },
): Promise<void> {
  if (files.length === 0) return;
  const room = await readFileRoom(ctx, sender, organizationId);
  if (sizeOf(files) > roomLeft(room)) throw new NotNow("rate_limited", nextDay(room.at), noRoomText(room));
}

/** After the rows of the files: they fail the batch where somebody else was faster and took the room. */
export function countFiles(
  { db, now }: Pick<Ctx, "db" | "now">,
  sender: Sender,
  { organizationId, files }: { organizationId: string; files: readonly { size: number }[] },
): Statement[] {
  if (files.length === 0) return [];
  const at = now();
  const size = sizeOf(files);
  const identifier = identifierOf(sender, organizationId, at);
  const isNew = sql`EXISTS (SELECT 1 FROM organizations WHERE id = ${organizationId} AND needs_review_at IS NOT NULL)`;
  const perDay =
    sender.side === "staff" ? sql`${perDayOf(false)}` : sql`iif(${isNew}, ${perDayOf(true)}, ${perDayOf(false)})`;
  return [
    db
      .insert(rateLimitAttempts)
      .values({
        attempt_type: TYPE,
        identifier,
        attempts: size,
        blocked_until: null,
        last_attempt_at: at,
      })
      .onConflictDoUpdate({
        target: [rateLimitAttempts.attempt_type, rateLimitAttempts.identifier],
        set: { attempts: sql`${rateLimitAttempts.attempts} + ${size}`, last_attempt_at: at },
      }),
    expectThat(db, sql`${sentOf(identifier)} <= ${perDay} AND ${storedOf(sql`${organizationId}`)} <= ${quota}`),
  ];
}

const sizeOf = (files: readonly { size: number }[]): number => files.reduce((sum, { size }) => sum + size, 0);
const nextDay = (now: Instant): Instant => (dayOf(now) + 1) * days(1);

export function noRoomText(room: FileRoom): string {
  const { sent, perDay, stored, quota: most, isNew, isStaff, at } = room;
  if (most - stored < perDay - sent) {
    return `${isStaff ? "This" : "Your"} organization's files take ${fileSize(stored)} of its ${fileSize(most)}, so these do not fit. Your text can go without them; ${
      isStaff ? "an administrator can give more room in the settings" : "ask us for more room"
    }.`;
  }
  const rule = `, of ${fileSize(perDay)} a day${isNew ? " until we have reviewed your organization" : ""}`;
  return `You have sent ${fileSize(sent)} of files today${rule}, so these do not fit. There is room again in ${waitInWords(nextDay(at), at)}; your text can go without them.`;
}

export function shortRoomText(room: FileRoom): string | null {
  const { sent, perDay, stored, quota: most, isStaff, at } = room;
  const isOfOrganization = stored / most > sent / perDay;
  const [used, all] = isOfOrganization ? [stored, most] : [sent, perDay];
  if (used < all * 0.8) return null;
  const rest = used >= all ? "no room is left" : `${fileSize(all - used)} are left`;
  return isOfOrganization
    ? `${isStaff ? "This" : "Your"} organization's files take ${fileSize(used)} of its ${fileSize(all)}: ${rest}.`
    : `You have sent ${fileSize(used)} of files today: ${rest}, and all of ${fileSize(all)} again in ${waitInWords(nextDay(at), at)}.`;
}
