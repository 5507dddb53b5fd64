import * as z from "zod";
import type { Brand } from "~/content/brand";
import { pricingQuestions } from "~/content/faq";
import { founderWords } from "~/content/founder";
import { hero, switching } from "~/content/home";
import { type Industry, type IndustrySlug, industries } from "~/content/industries";
import { LAB_PERCENT, type Plan, plans } from "~/content/plans-and-prices";
import { type Feature, type Service, type ServiceId, services } from "~/content/services";
import { formatDollars, percentOfCents } from "~/lib/numbers";
import {
  type ContentFormat,
  type ContentSectionId,
  type PictureFile,
  pictureImage,
  readPairs,
  type SettingField,
  type SiteContent,
  withNames,
} from "./model";

/**
 * The one description of what owners may write on the public site: the form, its limits, what stands beside it, what is
 * stored and what pages read all come from it. The defaults are those of `content/`.
 */
type FieldOf = {
  label: string;
  format: ContentFormat;
  /** In characters: of a line, of a text, or of each line or text in a list. */
  max: number;
  /** How many there are in a list at most; `exactly`: neither more nor fewer. */
  count?: number;
  exactly?: true;
  hint?: string;
  isHeadline?: true;
};

type ContentField = FieldOf & { name: string; standard: string; read: (text: string) => Read };

type Read = { value: string | boolean | readonly string[] | readonly Feature[] } | { problem: string };

type Texts = Record<string, string>;

/** An object of `content/` whose properties can be written anew. `id` stands in the names of its fields. */
type Item = { id: string; standard: Record<string, unknown>; fields: Record<string, FieldOf> };

type Section = { label: string; page: string; items: readonly Item[] };

const line = (label: string, max: number, more: Partial<FieldOf> = {}): FieldOf => ({
  label,
  format: "line",
  max,
  ...more,
});
const text = (label: string, max: number, more: Partial<FieldOf> = {}): FieldOf => ({
  label,
  format: "text",
  max,
  ...more,
});
const list = (label: string, count: number, max: number, more: Partial<FieldOf> = {}): FieldOf => ({
  ...{ label, format: "list", count, max, hint: `One on each line, at most ${count}.` },
  ...more,
});
const pairs = (label: string, count: number, max: number, more: Partial<FieldOf> = {}): FieldOf => ({
  ...{ label, format: "pairs", count, max },
  hint: `A title on a line and its text below it, then a blank line. ${more.exactly ? "Exactly" : "At most"} ${count}.`,
  ...more,
});

const planItem = ({ id, name, suits, features }: Plan): Item => ({
  id,
  standard: { name, suits, features },
  fields: {
    name: line(`${name}: name`, 30),
    suits: line(`${name}: who it suits`, 90),
    features: list(`${name}: what is in it`, 10, 90),
  },
});

/** What services and industries have in common, and what is only theirs. */
const offerSection = (
  id: "service" | "industry",
  { page, standard, ...own }: { page: string; standard: Service | Industry } & Record<"body" | "rest", Item["fields"]>,
): Section => ({
  label: standard.title,
  page,
  items: [
    {
      id,
      standard,
      fields: {
        title: line("Title", 60, { isHeadline: true }),
        summary: text("Summary", 200, { hint: "In lists, and for search engines." }),
        ...own.body,
        situations: pairs("Situations", 4, 240),
        ...own.rest,
      },
    },
  ],
});

const serviceSection = (standard: Service): Section =>
  offerSection("service", {
    ...{ standard, page: `/services/${standard.id}` },
    body: { overview: text("Overview", 600) },
    rest: {
      features: pairs("Key features", 6, 240),
      benefits: list("Benefits", 8, 120),
      stopDoing: line("What clients stop doing", 120),
    },
  });

const industrySection = (standard: Industry): Section =>
  offerSection("industry", {
    ...{ standard, page: `/industries/${standard.slug}` },
    body: { description: text("Description", 600) },
    rest: { features: list("Key features", 10, 140) },
  });

export const CONTENT_SECTIONS: Record<ContentSectionId, Section> = {
  home: {
    label: "Home",
    page: "/",
    items: [
      {
        id: "hero",
        standard: hero,
        fields: {
          first: text("First headline", 60, {
            isHeadline: true,
            hint: "Two lines of up to 18 letters each look best.",
          }),
          second: text("Second headline", 60, { isHeadline: true, hint: "Takes the place of the first one." }),
          marked: line("Marked words", 20, { hint: "Words of the second headline." }),
          lead: text("Lead text", 240, { hint: "{company} stands for the name." }),
        },
      },
    ],
  },
  switching: {
    label: "Switching",
    page: "/#switching",
    items: [
      {
        id: "switching",
        standard: { ...switching, isHidden: false },
        fields: {
          title: line("Title", 60, { isHeadline: true }),
          text: text("Text", 160),
          steps: pairs("Day 1, day 7 and day 30", 3, 240, { exactly: true }),
          outcomes: list("What they have then", 3, 120, { hint: "One line for each of the three.", exactly: true }),
          answers: pairs("Answers to what holds people back", 6, 240),
          isHidden: { label: "Leave this block out", format: "tick", max: 0 },
        },
      },
    ],
  },
  story: {
    label: "Story and founder",
    page: "/why-us#story",
    items: [
      {
        id: "founder",
        standard: { words: founderWords },
        fields: {
          words: text("Founder’s words", 240, { hint: "Beside the picture on Home, without quotation marks." }),
        },
      },
    ],
  },
  network: { label: "Network brand", page: "/pricing", items: [] },
  plans: { label: "Plans", page: "/pricing", items: plans.map(planItem) },
  questions: {
    label: "Questions",
    page: "/pricing#questions",
    items: [
      {
        id: "questions",
        standard: { questions: pricingQuestions },
        fields: {
          questions: pairs("Questions and answers", 12, 600, {
            hint: `A question on a line and its answer below it, then a blank line. At most 12. {lab price} stands for ${LAB_PERCENT} % of what a user costs on {core}, {core} for what you call that plan.`,
          }),
        },
      },
    ],
  },
  ...(Object.fromEntries(services.map((one) => [`service-${one.id}`, serviceSection(one)])) as Record<
    `service-${ServiceId}`,
    Section
  >),
  ...(Object.fromEntries(industries.map((one) => [`industry-${one.slug}`, industrySection(one)])) as Record<
    `industry-${IndustrySlug}`,
    Section
  >),
};

export const CONTENT_IDS = Object.keys(CONTENT_SECTIONS) as ContentSectionId[];

const TITLE_MAX = 120;

const normalized = (given: string) =>
  given
    .replace(/\r\n?/g, "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();

/** Neither control characters nor marks that turn the direction of what follows. */
const isPlain = (given: string) =>
  !/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(given.replaceAll("\n", " "));

const tooLong = (label: string, max: number, found: number) =>
  `${label} can have at most ${max} characters; this has ${found.toLocaleString("en-US")}`;

function readText({ label, format, max, count = 1, exactly }: FieldOf, given: string): Read {
  const problem = (what: string): Read => ({ problem: what });
  if (!isPlain(given)) return problem(`${label}: please use plain text`);
  if (format === "tick") return { value: given === "on" };
  const lengthOf = (one: string) => [...one].length;
  if (format === "line" || format === "text")
    return lengthOf(given) > max ? problem(tooLong(label, max, lengthOf(given))) : { value: given };
  const isPairs = format === "pairs";
  const found = isPairs ? readPairs(given) : given.split("\n").flatMap((one) => one.trim() || []);
  const wanted = exactly ? `exactly ${count}` : `at most ${count}`;
  if (found.length > count || (exactly && found.length < count))
    return problem(`${label}: write ${wanted}; these are ${found.length}`);
  for (const [index, one] of found.entries()) {
    const which = `${label}, number ${index + 1}`;
    const { title, text } = typeof one === "string" ? { title: "", text: one } : one;
    if (text === "") return problem(`${which}: write its text on the line below “${title}”`);
    if (lengthOf(title) > TITLE_MAX) return problem(tooLong(`The title of ${which}`, TITLE_MAX, lengthOf(title)));
    if (lengthOf(text) > max) return problem(tooLong(which, max, lengthOf(text)));
  }
  return { value: found };
}

function written(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "";
  if (typeof value === "string") return value;
  return (value as readonly (string | Feature)[])
    .map((one) => (typeof one === "string" ? one : `${one.title}\n${one.text}\n`))
    .join("\n")
    .trim();
}

/** Names of fields in which people write several lines begin as `lib/form.ts` knows them. */
const nameOf = (item: Item, key: string, { format }: FieldOf) =>
  `${format === "line" || format === "tick" ? "" : "lines_"}${item.id}_${key}`;

type OwnField = ContentField & { item: Item; key: string };

const fieldsOfItem = (item: Item): OwnField[] =>
  Object.entries(item.fields).map(([key, field]) => ({
    ...field,
    item,
    key,
    name: nameOf(item, key, field),
    standard: written(item.standard[key]),
    read: (given) => readText(field, given),
  }));

const FIELDS = Object.fromEntries(
  CONTENT_IDS.map((id) => [id, CONTENT_SECTIONS[id].items.flatMap(fieldsOfItem)]),
) as Record<ContentSectionId, OwnField[]>;

export const contentFields = (id: ContentSectionId): readonly ContentField[] => FIELDS[id];

export const settingFields = (id: ContentSectionId): SettingField[] =>
  FIELDS[id].map(({ name, label, format, hint }) => ({
    name,
    label,
    ...(hint ? { hint } : {}),
    optional: true,
    kind: format === "tick" ? "tick" : format === "line" ? "text" : "area",
  }));

/** Reads a form: what is written, without what only repeats the default, so that the next version may have another. */
export const contentInput = (id: ContentSectionId): z.ZodType<Texts> =>
  z.record(z.string(), z.string()).transform((typed, issues) => {
    const texts: Texts = {};
    for (const { name, standard, read } of FIELDS[id]) {
      const given = normalized(typed[name] ?? "");
      if (given === "" || given === normalized(standard)) continue;
      const found = read(given);
      if ("problem" in found) issues.addIssue({ code: "custom", path: [name], message: found.problem });
      else texts[name] = given;
    }
    return texts;
  });

/** What no longer fits counts as not written: a page must not fail over an old text. */
export const storedContent = (id: ContentSectionId): z.ZodType<Texts> =>
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform((stored) =>
      Object.fromEntries(
        FIELDS[id].flatMap(({ name, read }) => {
          const given = stored[name];
          return typeof given === "string" && "value" in read(given) ? [[name, given]] : [];
        }),
      ),
    );

export type StoredContent = Record<ContentSectionId, Texts>;

/** Puts names into every text, as the preview does. */
function named(value: unknown, names: Record<string, string>): unknown {
  if (typeof value === "string") return withNames(value, names);
  if (Array.isArray(value)) return value.map((one) => named(one, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, named(one, names)]));
}

/** The objects of a section, each with what is written in the place of its defaults. */
function itemsOf(id: ContentSectionId, texts: Texts, names: Record<string, string>): unknown[] {
  return CONTENT_SECTIONS[id].items.map((item) => {
    const own = FIELDS[id].flatMap(({ item: one, name, key, read }) => {
      if (one !== item) return [];
      const text = texts[name];
      const found = text === undefined ? null : read(text);
      const value = found && "value" in found ? found.value : item.standard[key];
      return [[key, value] as const];
    });
    return named({ ...item.standard, ...Object.fromEntries(own) }, names);
  });
}

/** What stands in texts for what the settings say. Plans are called by their names in one another's texts too. */
export function contentNames({ name, prices }: Pick<Brand, "name" | "prices">, texts: Texts): Record<string, string> {
  return {
    ...Object.fromEntries(plans.map((plan) => [`{${plan.id}}`, texts[`${plan.id}_name`] ?? plan.name])),
    "{company}": name,
    "{lab price}": formatDollars(percentOfCents(prices.plans.core, LAB_PERCENT)),
  };
}

export const sitePlans = (texts: Texts, names: Record<string, string>): Plan[] => {
  const written = itemsOf("plans", texts, names) as Pick<Plan, "name" | "suits" | "features">[];
  return plans.map((plan, index) => ({ ...plan, ...written[index] }));
};

/** Everything that public pages show in the place of `content/`. */
export function siteContent(
  stored: StoredContent,
  brand: Brand,
  { portrait, ...promises }: { portrait: PictureFile | null; showsPromises: boolean; hasEnoughPromises: boolean },
): SiteContent {
  const names = contentNames(brand, stored.plans);
  const one = <Item>(id: ContentSectionId) => itemsOf(id, stored[id], names)[0] as Item;
  return {
    hero: one("home"),
    switching: one("switching"),
    founderWords: one<{ words: string }>("story").words,
    showsPromises: promises.showsPromises,
    linksPromises: promises.showsPromises && promises.hasEnoughPromises,
    portrait: portrait && pictureImage("portrait", portrait),
    plans: sitePlans(stored.plans, names),
    questions: one<{ questions: Feature[] }>("questions").questions,
    services: services.map(({ id, note }) => ({
      ...one<Service>(`service-${id as ServiceId}`),
      note: note?.(brand) ?? null,
    })),
    industries: industries.map(({ slug }) => one<Industry>(`industry-${slug as IndustrySlug}`)),
  };
}
