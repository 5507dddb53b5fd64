import { plans } from "~/content/plans-and-prices";
import { composeLetter } from "~/features/letters/compose-letter";
import { daysOfMonth } from "~/features/letters/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { addDays, dayIn, hours, startOfDay, zonedInstant } from "~/lib/time";
import { fingerprintOf } from "~/platform/crypto.server";

const ORGANIZATION = "brightsmile-dental";

const SENTENCES = [
  "We used the quiet weeks to test the backup of the practice server: every file opened.",
  "Next we would like to replace the laptop at the front desk. Morgan sends you a quote.",
];

/**
 * Writes a letter that was released: about the last month before the demo's first ticket of an organization, so that
 * all that it says is true. Drafts of the month before this one are made by the job `draft-letters`.
 */
export function addLetters(world, people) {
  const zone = DEFAULT_SETTINGS.timeZone;
  const organization = world.database
    .prepare(
      `select o.id, o.name, o.plan, o.active_members as people, o.members_without_mfa as withoutSecondFactor,
        (select min(created_at) from support_tickets t where t.organization_id = o.id) as firstTicketAt
      from organizations o where slug = ?`,
    )
    .get(ORGANIZATION);
  const first = dayIn(zone, organization.firstTicketAt ?? world.now).slice(0, 7);
  const month = addDays(`${first}-01`, -1).slice(0, 7);
  const { to } = daysOfMonth(month);
  const at = zonedInstant(zone, addDays(to, 1), hours(9));
  const author = people.get("tech@wrenfield.example");
  const facts = {
    ...{ organization: organization.name, month, zone, plan: plans.find(({ id }) => id === organization.plan).name },
    ...{ people: organization.people, withoutSecondFactor: organization.withoutSecondFactor },
    ...{ created: 0, resolved: 0, open: 0, promises: { kept: 0, missed: 0 }, firstResponse: { median: null, n: 0 } },
    ...{ misses: [], asked: [], allowances: [], waiting: [] },
  };
  const words = { sentences: SENTENCES, reasons: [] };
  const letter = JSON.stringify(composeLetter(facts, words, at));
  const id = world.newId("ltr", at);
  world.insert("letters", {
    ...{ id, created_at: startOfDay(zone, addDays(to, 1)) + hours(8), updated_at: at, version: 2 },
    ...{ organization_id: organization.id, month, status: "released" },
    ...{ facts_json: JSON.stringify(facts), words_json: JSON.stringify(words) },
    ...{ letter_json: letter, letter_hash: fingerprintOf(letter), released_at: at },
    ...{ released_by_name: author.name, recipients: 2 },
  });
  const subject = { type: "organization", id: organization.id, label: organization.name };
  world.audit(at, author, "organization.letter_released", subject, { letter: id, month, people: 2 }, organization.id);
}
