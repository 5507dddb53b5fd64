import { choiceField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { FACTOR_LABELS, SIDE_LABELS } from "../labels";
import { MFA_PEOPLE_PATH } from "../model";

export const SIDES = ["staff", "client"] as const;
export const FACTOR_STATES = ["on", "off"] as const;

export const factorList = defineList({
  name: "mfa-people",
  ability: "security.view",
  path: MFA_PEOPLE_PATH,
  csvPath: "/admin/exports/mfa-people.csv",
  noun: { one: "person", many: "people" },
  fields: { q: searchField(), side: choiceField(SIDES), factor: choiceField(FACTOR_STATES) },
  orders: { joined: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest account first", oldest: "Oldest account first" },
  describe: ({ q, side, factor }) => [
    { label: side && SIDE_LABELS[side], fields: ["side"] },
    { label: factor && `Two-step sign-in ${FACTOR_LABELS[factor].toLowerCase()}`, fields: ["factor"] },
    { label: q ? `“${q}”` : null, fields: ["q"] },
  ],
});

export type FactorFilter = FilterOf<typeof factorList>;
