/*
 * The whole script of the pricing page, bundled by itself and loaded with `defer`. It reads the form and adds it up
 * with the code the server uses, so the page can never show two different totals.
 */
import type { AddOnId } from "~/content/add-ons";
import { type PlanId, USERS } from "~/content/plans-and-prices";
import { formatCents } from "~/lib/numbers";
import {
  addOnPriceText,
  choiceQuery,
  estimate,
  estimateLines,
  isShown,
  labPriceText,
  NUMBER_RANGES,
  numberNote,
  type PriceList,
  type PriceNames,
  readChoice,
  withPlan,
} from "./estimate";

const DEBOUNCE_MS = 400;

type NumberName = keyof typeof NUMBER_RANGES;

const form = document.querySelector<HTMLFormElement>("#estimator");
if (form) start(form, JSON.parse(form.dataset.catalog ?? ""));

function start(form: HTMLFormElement, { prices, names }: { prices: PriceList; names: PriceNames }) {
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  const read = () => readChoice(prices, new URLSearchParams([...new FormData(form)] as [string, string][]));

  // Campaign parameters stay in the address: the contact form reads them from the referrer.
  const campaign =
    location.search
      .replace("?", "&")
      .match(/&utm_[^&]*/g)
      ?.join("") ?? "";

  const update = () => {
    const choice = read();
    const result = estimate(prices, choice);
    for (const line of estimateLines(result, names)) {
      each(`[data-line=${line.name}]`, (row) => {
        row.hidden = !isShown(line);
      });
      write(`[data-line=${line.name}] small`, line.detail);
      write(`[data-line=${line.name}] dd`, formatCents(line.cents));
    }
    write("[data-total]", formatCents(result.total));
    write("[data-plan-name]", `${names.plans[choice.plan]} plan`);
    write("[data-lab-price]", labPriceText(result.rate, result.labPercent));
    each("[data-more]", (part) => {
      part.hidden = choice.users < USERS.max;
    });
    each("[data-add-on]", (price) => {
      const id = price.dataset.addOn as AddOnId;
      const isIncluded = prices.included[choice.plan].includes(id);
      price.textContent = addOnPriceText(prices, choice.plan, id);
      field(id).disabled = isIncluded;
      if (isIncluded) field(id).checked = false;
    });
    each<HTMLInputElement>("[data-for]", (slider) => {
      slider.value = String(choice[slider.dataset.for as NumberName]);
    });
    each<HTMLAnchorElement>("[data-estimate]", (link) => {
      link.search = choiceQuery(withPlan(prices, choice, (link.dataset.estimate as PlanId) || choice.plan));
    });
  };

  let timer = 0;
  // A busy live region is not announced: a dragged slider would otherwise read out every total in between.
  const setBusy = (isBusy: boolean) =>
    each("output", (output) => {
      output.ariaBusy = String(isBusy);
    });

  const note = (name: NumberName, text: string) => write(`[data-note=${name}]`, numberNote(text, NUMBER_RANGES[name]));

  form.oninput = ({ target }) => {
    const { dataset, name, value } = target as HTMLInputElement;
    if (dataset.for) field(dataset.for).value = value;
    const number = dataset.for ?? name;
    // A field that is empty for a moment, because another number is about to be typed, is not asked for yet.
    if (number in NUMBER_RANGES && value) note(number as NumberName, value);
    update();
    setBusy(true);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      setBusy(false);
      history.replaceState(null, "", `?${choiceQuery(read())}${campaign}${location.hash}`);
    }, DEBOUNCE_MS);
  };
  // A number is corrected once it is finished, not while it is being typed. What the note beside it says stays.
  form.onchange = ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (name in NUMBER_RANGES) {
      note(name as NumberName, value);
      if (value) field(name).value = String(read()[name as NumberName]);
    }
    update();
  };

  each("[data-slider]", (slider) => {
    slider.hidden = false;
  });
  each("[data-without-script]", (button) => {
    button.hidden = true;
  });
  // A browser that went back has kept the fields, while the rest of the page is as it was loaded.
  update();
}

function each<Found extends HTMLElement>(selector: string, change: (found: Found) => void) {
  document.querySelectorAll<Found>(selector).forEach(change);
}

function write(selector: string, text: string) {
  each(selector, (part) => {
    part.textContent = text;
  });
}
