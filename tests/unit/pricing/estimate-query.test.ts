import { expect, test } from "vitest";
import { addOns, LAB_COMPUTERS, plans, USERS } from "~/content/plans-and-prices";
import { defaultPriceList } from "~/features/pricing/current-prices";
import {
  adjustedIn,
  type Choice,
  choiceQuery,
  estimate,
  hasChoice,
  NUMBER_RANGES,
  numberNote,
  readChoice,
  shownNumber,
} from "~/features/pricing/estimate";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";

const read = (query: string) => readChoice(defaultPriceList, new URLSearchParams(query));
const adjusted = (query: string) => adjustedIn(new URLSearchParams(query), read(query));

test("an empty address is the starting choice", () => {
  expect(read("")).toEqual({ plan: "core", users: 5, lab: 0, addOns: [] });
  expect(adjusted("")).toEqual([]);
});

test.each([
  ["users=1", 1, false],
  ["users=50", 50, false],
  ["users=12", 12, false],
  ["users=012", 12, false],
  ["users=+12", 12, false],
  ["users=0", 1, true],
  ["users=-1", 1, true],
  ["users=51", 50, true],
  ["users=9999", 50, true],
  ["users=99999999999999999999999999999999", 50, true],
  [`users=${"9".repeat(400)}`, 50, true],
  ["users=12.7", 12, true],
  ["users=", 5, false],
  ["users=abc", 5, false],
  ["users=NaN", 5, false],
  ["users=Infinity", 5, false],
  ["users=1e3", 5, false],
  ["users=0x10", 5, false],
  ["users=12%00", 5, false],
  ["users=7&users=9", 7, false],
] as const)("%s is read as %d", (query, users, isAdjusted) => {
  expect(read(query).users).toBe(users);
  expect(adjusted(query)).toEqual(isAdjusted ? ["users"] : []);
});

test.each([
  ["lab=0", 0, false],
  ["lab=30", 30, false],
  ["lab=-1", 0, true],
  ["lab=-0.4", 0, true],
  ["lab=31", 30, true],
  ["lab=many", 0, false],
] as const)("%s is read as %d", (query, lab, isAdjusted) => {
  expect(read(query).lab).toBe(lab);
  expect(Object.is(read(query).lab, -0)).toBe(false);
  expect(adjusted(query)).toEqual(isAdjusted ? ["lab"] : []);
});

test.each([
  ["plan=basic", "basic", false],
  ["plan=premium&plan=basic", "premium", false],
  ["plan=nonsense", "core", true],
  ["plan=Premium", "core", true],
  ["plan=", "core", true],
  ["plan=constructor", "core", true],
  ["plan=__proto__", "core", true],
] as const)("%s is read as %s", (query, plan, isAdjusted) => {
  expect(read(query).plan).toBe(plan);
  expect(adjusted(query)).toEqual(isAdjusted ? ["plan"] : []);
});

test("an add-on is chosen by its id and the word a checkbox sends, and in no other way", () => {
  expect(read("webServices=on&secureStorage=on").addOns).toEqual(["webServices", "secureStorage"]);
  expect(read("secureStorage=on&webServices=on").addOns).toEqual(["webServices", "secureStorage"]);
  expect(read("webServices=1&secureStorage=&extraOnsiteVisits=off").addOns).toEqual([]);
  expect(read("webServices=off&webServices=on").addOns).toEqual([]);
  expect(read("goldenTap=on&toString=on").addOns).toEqual([]);
});

test.each([
  ["premium", ["additionalCameraSupport", "secureStorage"]],
  ["core", addOns.map(({ id }) => id)],
  ["basic", addOns.map(({ id }) => id)],
])("on %s, a hand-made address can choose %j and no add-on that the plan contains", (plan, chosen) => {
  const everything = addOns.map(({ id }) => `${id}=on`).join("&");
  expect(read(`plan=${plan}&${everything}`).addOns).toEqual(chosen);
});

test.each([
  [null, "", "5"],
  ["12", "", "12"],
  ["99", "50 is the most: we count 50.", "50"],
  ["0", "1 is the fewest: we count 1.", "1"],
  ["12.7", "Whole numbers only: we count 12.", "12"],
  ["", "Enter a number from 1 to 50. Until then we count 5.", ""],
  ["many", "Enter a number from 1 to 50. Until then we count 5.", ""],
])("beside %j users stands %j, and the field shows %j", (given, note, shown) => {
  const query = given === null ? "" : `users=${given}`;
  expect(numberNote(given, NUMBER_RANGES.users)).toBe(note);
  expect(shownNumber(given, read(query).users)).toBe(shown);
});

test("an address about something else is no choice", () => {
  const chosen = (query: string) => hasChoice(defaultPriceList, new URLSearchParams(query));
  expect(chosen("")).toBe(false);
  expect(chosen("sent=1&utm_source=letter")).toBe(false);
  expect(chosen("plan=core")).toBe(true);
  expect(chosen("secureStorage=on")).toBe(true);
});

test("a choice survives its way through an address", () => {
  for (const { id: plan } of plans) {
    for (const users of [USERS.min, 17, USERS.max]) {
      for (const lab of [LAB_COMPUTERS.min, 9, LAB_COMPUTERS.max]) {
        for (let count = 0; count <= addOns.length; count += 1) {
          const offered = addOns.filter(({ id }) => !defaultPriceList.included[plan].includes(id));
          const choice: Choice = { plan, users, lab, addOns: offered.slice(0, count).map(({ id }) => id) };
          expect(read(choiceQuery(choice))).toEqual(choice);
        }
      }
    }
  }
});

test("whatever is typed into an address, the total is a whole number of cents within reach", () => {
  const random = seededRandom(7);
  const names = ["plan", "users", "lab", ...addOns.map(({ id }) => id), "users ", "__proto__", "x"];
  const values = [
    "",
    "on",
    "core",
    "basic",
    "-1",
    "0",
    "1e9",
    "0.5",
    "∞",
    "٣",
    "null",
    "[]",
    "%",
    "<b>",
    "9".repeat(50),
  ];
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random.next() * items.length)] as Item;
  for (let round = 0; round < 5_000; round += 1) {
    const parameters = new URLSearchParams();
    const count = Math.floor(random.next() * 12);
    for (let place = 0; place < count; place += 1) parameters.append(pick(names), pick(values) + pick(values));
    const { total } = estimate(defaultPriceList, readChoice(defaultPriceList, parameters));
    expect(Number.isSafeInteger(total)).toBe(true);
    expect(total).toBeGreaterThanOrEqual(7_900);
    expect(total).toBeLessThanOrEqual(50 * 22_900 + 30 * 8_015 + 64_500);
  }
});
