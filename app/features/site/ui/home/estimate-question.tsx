import { estimateQuestion } from "~/content/home";
import { DEFAULT_PLAN } from "~/content/plans-and-prices";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";

/** Asks for the number of people and leads to their estimate: the answer is the address of the pricing page. */
export function EstimateQuestion() {
  const { label, people, submit, promise, more } = estimateQuestion;
  return (
    <form
      className="mt-7 flex max-w-[35rem] flex-wrap items-end gap-x-4 gap-y-3 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-5 pt-[1.1rem] pb-[1.2rem]"
      method="get"
      action="/pricing#estimate"
    >
      <input type="hidden" name="plan" value={DEFAULT_PLAN} />
      <Field className="flex-[1_1_9rem]" name="users" label={label}>
        <Input className="font-semibold" inputMode="numeric" maxLength={4} autoComplete="off" defaultValue={people} />
      </Field>
      <Button type="submit" className="max-md:w-full">
        {submit}
      </Button>
      <p className="basis-full text-ink-2 text-sm">
        {promise} {more.before} <Link to="#services">{more.link}</Link> {more.after}
      </p>
    </form>
  );
}
