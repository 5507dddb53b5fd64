import { expect, test } from "vitest";
import { type AddOnId, addOns, defaultPrices, onboardingTerms, type PlanId, plans } from "~/content/plans-and-prices";
import { defaultPriceList, onboardingSentence, priceNames } from "~/features/pricing/current-prices";
import {
  addOnPriceText,
  type Choice,
  estimate,
  estimateLines,
  isShown,
  labPriceText,
  withPlan,
} from "~/features/pricing/estimate";

const ids = addOns.map(({ id }) => id);
const choose = (changes: Partial<Choice> = {}): Choice => ({ plan: "core", users: 5, lab: 0, addOns: [], ...changes });
const total = (changes?: Partial<Choice>) => estimate(defaultPriceList, choose(changes)).total;

/** Lists every set of add-ons, one bit of a number for each. */
const addOnSets: AddOnId[][] = Array.from({ length: 2 ** ids.length }, (_, bits) =>
  ids.filter((_id, index) => bits & (1 << index)),
);

test("the prices are those of the specification", () => {
  expect(defaultPriceList.plans).toEqual({ basic: 7_900, core: 14_900, premium: 22_900 });
  expect(defaultPriceList.addOns).toEqual({
    webServices: 20_000,
    extraOnsiteVisits: 15_000,
    extraAfterHoursSupport: 12_000,
    additionalCameraSupport: 7_500,
    secureStorage: 10_000,
  });
});

test("the page starts at $745.00, and the example of the design adds up to $2,096.60", () => {
  expect(total()).toBe(74_500);
  expect(total({ users: 12, lab: 4, addOns: ["secureStorage"] })).toBe(209_660);
});

test.each(
  plans.map(({ id, monthlyCents }) => [id, monthlyCents] as const),
)("on %s, every set of add-ons is added to users and lab computers, exactly", (plan, rate) => {
  for (const set of addOnSets) {
    const result = estimate(defaultPriceList, choose({ plan, users: 7, lab: 3, addOns: set }));
    const extras = set.reduce((sum, id) => sum + (addOns.find((addOn) => addOn.id === id)?.monthlyCents ?? 0), 0);
    expect(result.breakdown).toEqual({ fullUsers: 7 * rate, labDevices: (3 * rate * 35) / 100, addOns: extras });
    expect(result.total).toBe(7 * rate + (3 * rate * 35) / 100 + extras);
  }
});

/** Holds the prices that the specification names, in whole dollars: none of our code or data is read for them. */
const SPECIFIED = {
  plans: { basic: 79, core: 149, premium: 229 },
  addOns: [200, 150, 120, 75, 100],
} as const;

test("every choice the page offers costs what the specification says, to the cent", () => {
  const wrong: string[] = [];
  let choices = 0;
  for (const [plan, rate] of Object.entries(SPECIFIED.plans) as [PlanId, number][]) {
    for (let users = 1; users <= 50; users += 1) {
      for (let lab = 0; lab <= 30; lab += 1) {
        for (const [bits, set] of addOnSets.entries()) {
          const extras = SPECIFIED.addOns.reduce((sum, price, place) => sum + (bits & (1 << place) ? price : 0), 0);
          const tenths = (users * rate + extras) * 1_000 + lab * rate * 350;
          const result = estimate(defaultPriceList, { plan, users, lab, addOns: set });
          const { fullUsers, labDevices, addOns: added } = result.breakdown;
          const isRight = result.total * 10 === tenths && fullUsers + labDevices + added === result.total;
          if (!isRight) wrong.push(`${plan} ${users} ${lab} ${set}: ${result.total}`);
          choices += 1;
        }
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(choices).toBe(3 * 50 * 31 * 32);
});

test("add-ons that a plan contains are counted when they are chosen all the same", () => {
  expect(total({ plan: "premium", users: 1, addOns: ["webServices"] })).toBe(22_900 + 20_000);
});

test("moving to Premium leaves out what it contains, and nothing else", () => {
  const choice = choose({ addOns: ids });
  expect(withPlan(defaultPriceList, choice, "premium").addOns).toEqual(["additionalCameraSupport", "secureStorage"]);
  expect(withPlan(defaultPriceList, choice, "basic").addOns).toEqual(ids);
  // Somebody who is there already and insists keeps what was chosen.
  expect(withPlan(defaultPriceList, { ...choice, plan: "premium" }, "premium").addOns).toEqual(ids);
});

test("prices that do not divide evenly still give whole cents", () => {
  const odd = { ...defaultPriceList, plans: { ...defaultPriceList.plans, basic: 7_999 } };
  for (let lab = 0; lab <= 30; lab += 1) {
    expect(Number.isInteger(estimate(odd, choose({ plan: "basic", lab })).total)).toBe(true);
  }
});

test.each([
  ["basic", "about $28 (35% of $79)"],
  ["core", "about $52 (35% of $149)"],
  ["premium", "about $80 (35% of $229)"],
] as const)("a lab computer on %s is shown as %s", (plan: PlanId, text) => {
  expect(labPriceText(defaultPriceList.plans[plan], defaultPriceList.labPercent)).toBe(text);
});

test("the breakdown shows users always, and other lines only where they cost something", () => {
  const shown = (changes: Partial<Choice>) =>
    estimateLines(estimate(defaultPriceList, choose(changes)), priceNames)
      .filter(isShown)
      .map(({ name, detail }) => [name, detail]);
  expect(shown({})).toEqual([["fullUsers", "5 × $149"]]);
  expect(shown({ lab: 4, addOns: ["webServices", "secureStorage"] })).toEqual([
    ["fullUsers", "5 × $149"],
    ["labDevices", "4 × about $52 (35% of $149)"],
    ["addOns", "Web services, Secure storage"],
  ]);
});

test("prices with cents are shown with them, so that what is multiplied is what it comes to", () => {
  const { plans, addOns, ...rest } = defaultPriceList;
  const prices = { ...rest, plans: { ...plans, core: 7_950 }, addOns: { ...addOns, secureStorage: 9_950 } };
  const [users, lab] = estimateLines(estimate(prices, choose({ users: 12, lab: 4 })), priceNames);
  expect([users?.detail, users?.cents]).toEqual(["12 × $79.50", 95_400]);
  expect(lab?.detail).toBe("4 × about $28 (35% of $79.50)");
  expect(addOnPriceText(prices, "core", "secureStorage")).toBe("+$99.50");
});

test("the hourly rate of onboarding stands beside its minimum, in the terms and under the estimate", () => {
  const prices = defaultPrices();
  expect(onboardingTerms(prices)).toContain("hourly with a 20-hour minimum, at $95 an hour");
  expect(onboardingSentence(prices)).toBe("Onboarding, once: from $1,900 (20 hours at $95)");
  const unnamed = { ...prices, onboardingHourly: null };
  expect(onboardingTerms(unnamed)).toContain("20-hour minimum; the rate is in your proposal.");
  expect(onboardingSentence(unnamed)).toContain("hourly with a 20-hour minimum; the rate is in your proposal");
});
