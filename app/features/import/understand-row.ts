import { TICKET_CATEGORIES, TITLE_LIMIT } from "~/features/tickets/model";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { excerpt, fold, visibleName } from "~/lib/text";
import { type Instant, isDay, zonedInstant } from "~/lib/time";
import { cellsNote, FIELD_LABELS, REASONS } from "./labels";
import {
  type DateOrder,
  type FileFacts,
  fileAt,
  type ImportedMessage,
  type ImportField,
  type ImportKind,
  type ImportRow,
  type Mapping,
  ORGANIZATION_MAX,
  type TicketRow,
  type WordField,
} from "./model";
import { knownMeaning } from "./presets";
import type { FileRow } from "./read-rows.server";

type Cells = Pick<FileRow, "messages" | "files" | "notes"> & { cells: readonly string[] };

/** What a row says, and what of it could not be taken as it stands; `refused`: why it cannot be taken at all. */
type Understood = { label: string; key: string } & ({ row: ImportRow; notes: string[] } | { refused: string });

type Reading = { kind: ImportKind; facts: FileFacts; mapping: Mapping; zone: string };

type Value = (field: ImportField) => string;

const NAME_MAX = 120;

/** How some products write that there is nothing. */
const NOTHING = "-";

/** Matches what a spreadsheet would run: it is text here, and nothing runs it. */
const FORMULA = /^[=+@]|^-[^\d\s]/;

export function understandRow(
  { cells, messages, files = [], notes: written = [] }: Cells,
  { kind, facts, mapping, zone }: Reading,
): Understood {
  const places = new Map(mapping.fields.flatMap((field, index) => (field ? [[field, index] as const] : [])));
  const value: Value = (field) => {
    const cell = (cells[places.get(field) ?? -1] ?? "").trim();
    return cell === NOTHING ? "" : cell;
  };
  const tooMany = cells.length > facts.columns.length && cells.slice(facts.columns.length).some((cell) => cell.trim());
  const notes = [...(tooMany ? [cellsNote(cells.length, facts.columns.length)] : []), ...written];
  const reader = { order: mapping.dates, zone };
  const readDate = (field: ImportField) => dateOf(value(field), reader);
  const context = { value, notes, readDate, mapping };
  if (kind === "organizations") return organizationOf(context);
  return kind === "people"
    ? personOf(context)
    : ticketOf(context, { files, messages: datedMessages(messages, reader, notes) });
}

function datedMessages(messages: Cells["messages"], reader: Reader, notes: string[]): ImportedMessage[] {
  const dated = messages.map(({ at, ...message }) => ({ ...message, at: dateOf(at, reader) }));
  if (dated.some(({ at }) => at === "unreadable")) notes.push(REASONS.message_date);
  return dated.map((message) => ({ ...message, at: message.at === "unreadable" ? null : message.at }));
}

type Context = {
  value: Value;
  notes: string[];
  readDate: (field: ImportField) => Instant | null | "unreadable";
  mapping: Mapping;
};

/** No organization has a name of this length: what is longer names none. */
const organizationIn = (value: Value): string =>
  visibleName(value("organization").replace(/\s+/g, " ")).slice(0, ORGANIZATION_MAX + 1);

const oneLine = (text: string, max: number): string => excerpt(visibleName(text.replace(/\s+/g, " ")), max);

function noteFormula(notes: string[], text: string): void {
  if (FORMULA.test(text)) notes.push(REASONS.formula);
}

function organizationOf({ value, notes, readDate }: Context): Understood {
  const name = oneLine(value("name"), ORGANIZATION_MAX);
  const oldId = value("old_id").slice(0, 60) || null;
  const found = { label: name || REASONS.nameless, key: fold(name) };
  if (name === "") return { ...found, refused: REASONS.no_name };
  noteFormula(notes, name);
  const planWord = fold(value("plan"));
  const plan = (["basic", "core", "premium"] as const).find((each) => planWord.includes(each)) ?? "none";
  if (plan === "none" && planWord !== "" && !/^(none|no plan|-)$/.test(planWord))
    notes.push(`${REASONS.unknown_plan} “${excerpt(value("plan"), 40)}”`);
  const contractStart = readDate("contract_start");
  if (contractStart === "unreadable")
    return { ...found, refused: unreadable("contract_start", value("contract_start")) };
  const domains = value("domains");
  return {
    ...found,
    notes,
    row: {
      kind: "organizations",
      name,
      oldId,
      plan,
      contractStart,
      // As typed: whether they can be used is known when they are looked up.
      domains:
        domains === "" ? [] : domains.split(/[\s,;|]+/).map((each) => each.replace(/^https?:\/\/(www\.)?|\/.*$/gi, "")),
      description: value("description").slice(0, 2_000),
    },
  };
}

const unreadable = (field: ImportField, text: string): string =>
  `“${excerpt(text, 40)}” ${REASONS.no_date} (${FIELD_LABELS[field].toLowerCase()})`;

function addressOf(text: string): string | null {
  // "Dana Whitfield <dana@brightsmile.example>", as some exports write it.
  const email = normalizeEmail(/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text);
  return email.length <= EMAIL_MAX && isEmailAddress(email) ? email : null;
}

function personOf({ value, notes }: Context): Understood {
  const email = addressOf(value("email").split(/[,;]/)[0] ?? "");
  const organization = organizationIn(value);
  const name = oneLine(value("name") || `${value("first_name")} ${value("last_name")}`, NAME_MAX);
  const label = [name, value("email")].filter(Boolean).join(", ").slice(0, 200) || REASONS.nameless;
  const found = { label, key: `${email ?? ""} ${fold(organization)}` };
  if (email === null) return { ...found, refused: value("email") === "" ? REASONS.no_email : REASONS.wrong_email };
  noteFormula(notes, name);
  if (name === "") notes.push(REASONS.name_from_email);
  const phone = oneLine(value("phone"), 40);
  return { ...found, notes, row: { kind: "people", organization, email, name: name || email, phone } };
}

function ticketOf(
  { value, notes, readDate, mapping }: Context,
  { files, messages }: Pick<TicketRow, "files" | "messages">,
): Understood {
  const oldNumber = value("old_number").replace(/\s+/g, " ").replace(/^#\s*/, "").slice(0, 40);
  const subject = value("subject").replace(/\s+/g, " ");
  const found = { label: `${oldNumber} ${subject}`.trim().slice(0, 200) || REASONS.nameless, key: oldNumber };
  if (oldNumber === "") return { ...found, refused: REASONS.no_number };
  const [opened, closed] = [readDate("opened"), readDate("closed")];
  if (opened === "unreadable") return { ...found, refused: unreadable("opened", value("opened")) };
  if (closed === "unreadable") return { ...found, refused: unreadable("closed", value("closed")) };
  if (subject === "") notes.push(REASONS.no_subject);
  noteFormula(notes, subject);
  if (visibleName(subject).length > TITLE_LIMIT) notes.push(REASONS.subject_cut);
  const meaning = (field: WordField) => {
    const word = value(field);
    const known = mapping.words[field][word] ?? knownMeaning(field, word);
    if (known === undefined && word !== "" && field !== "assignee")
      notes.push(`“${excerpt(word, 60)}” ${REASONS.no_meaning} (${field})`);
    return known ?? "";
  };
  const email = addressOf(value("requester_email"));
  const name = oneLine(value("requester_name") || (email === null ? value("requester_email") : ""), NAME_MAX);
  const assigneeId = meaning("assignee") || null;
  if (assigneeId === null && value("assignee") !== "")
    notes.push(`${REASONS.assignee_kept} ${excerpt(value("assignee"), 60)}`);
  const category = TICKET_CATEGORIES.find((each) => fold(each) === fold(value("category"))) ?? null;
  // Without a word for it, what has an end is closed.
  const status = (meaning("status") || (closed === null ? "open" : "closed")) as TicketRow["status"];
  const title = excerpt(visibleName(subject), TITLE_LIMIT) || REASONS.untitled;
  return {
    ...found,
    notes,
    row: {
      kind: "tickets",
      oldNumber,
      title,
      description: value("description") || title,
      organization: organizationIn(value),
      email: email ?? "",
      name,
      status,
      priority: (meaning("priority") || "medium") as TicketRow["priority"],
      category,
      assigneeId,
      opened,
      closed: status === "closed" ? closed : null,
      files: [
        ...files,
        ...value("files")
          .split(/[|\n]/)
          .flatMap((path) => (path.trim() ? fileAt(path.trim()) : [])),
      ],
      messages,
    },
  };
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

type Reader = { order: DateOrder | null; zone: string };

/** Reads a date with or without a time, in the zone of the site where the text names none. Null: there is none. */
export function dateOf(text: string, { order, zone }: Reader): Instant | null | "unreadable" {
  const typed = text.trim();
  if (
    typed === "" ||
    typed === "-" ||
    (/^0{2,4}[./-]0{1,2}[./-]0{2,4}( 00:00(:00)?)?$/.test(typed) === true && typed.startsWith("0000"))
  )
    return null;
  const day = dayOf(typed, order);
  if (!day) return "unreadable";
  const { at, rest } = day;
  if (!isDay(at) || at < "1980-01-01" || at > "2100-01-01") return "unreadable";
  const clock =
    /^[T,\s]*(?:(?:at\s+)?(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([ap]\.?m\.?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?\s*$/i.exec(
      rest,
    );
  if (!clock) return "unreadable";
  const [, hour = "0", minute = "0", second = "0", half, offset] = clock;
  const hours = half ? (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0) : Number(hour);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return "unreadable";
  const sinceMidnight = ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  if (!offset) return zonedInstant(zone, at, sinceMidnight);
  const [, sign, offsetHours, offsetMinutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const shift = sign ? (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === "+" ? 1 : -1) : 0;
  return Date.parse(`${at}T00:00:00Z`) + sinceMidnight - shift;
}

function dayOf(text: string, order: DateOrder | null): { at: string; rest: string } | null {
  const iso = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/.exec(text);
  if (iso) return dayText(iso[1], iso[2], iso[3], text.slice(iso[0].length));
  const digits = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/.exec(text);
  if (digits) {
    const [whole, first, second, third] = digits;
    const rest = text.slice(whole.length);
    if (order === "dmy") return dayText(fullYear(third), second, first, rest);
    if (order === "mdy") return dayText(fullYear(third), first, second, rest);
    return third?.length === 2 && order === "ymd" ? dayText(fullYear(first), second, third, rest) : null;
  }
  const named =
    /^(?:[a-z]{3,9},?\s+)?(?:(\d{1,2})(?:st|nd|rd|th)?[\s.-]+([a-z]{3,9})\.?|([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?)[\s,.-]+(\d{4})/i.exec(
      text,
    );
  if (!named) return null;
  const month = MONTHS.indexOf((named[2] ?? named[3] ?? "").slice(0, 3).toLowerCase()) + 1;
  if (month === 0) return null;
  return dayText(named[5], String(month), named[1] ?? named[4], text.slice(named[0].length));
}

const fullYear = (year = ""): string => (year.length === 2 ? `${Number(year) > 79 ? 19 : 20}${year}` : year);

const dayText = (year = "", month = "", date = "", rest = "") => ({
  at: `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`,
  rest,
});
