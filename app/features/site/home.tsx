import { assessmentInvitation, dayDocket, estimateQuestion, switchingDays } from "~/content/home";
import { DEFAULT_PLAN } from "~/content/plans-and-prices";
import { useSiteBrand } from "~/features/settings/brand";
import { CONTACT_PATH } from "~/lib/addresses";
import { Button } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Docket } from "~/ui/docket";
import { Field, Input } from "~/ui/form";
import { Check, CheckCheck, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { VisuallyHidden } from "~/ui/text";
import { ExampleTag } from "./exhibits";
import { SectionRow } from "./section-row";
import { Highlight, LeadText, PageWidth } from "./site-page";

/**
 * Both halves of the headline are one `h1`, so that a screen reader hears one statement. Where movement is welcome the
 * second takes the place of the first after three seconds, once. Each half has two lines at every width, so that
 * nothing moves.
 */
export function Hero() {
  const { content, phone, hours } = useSiteBrand();
  const { first, second, marked, lead } = content.hero;
  const at = marked === "" ? -1 : second.lastIndexOf(marked);
  return (
    <div className="pt-[clamp(2rem,5vw,4.5rem)] pb-[clamp(2.5rem,6vw,5rem)]">
      <PageWidth className="flex flex-wrap items-center gap-x-columns gap-y-9 *:min-w-0 *:last:flex-[1_1_min(100%,23rem)]">
        <div className="@container flex-[1.25_1_min(100%,29rem)]">
          <h1 className="arrives text-hero/[1.03] tracking-[-0.032em] *:block *:whitespace-pre-line">
            <span>{first}</span>{" "}
            <span>
              {at < 0 ? (
                second
              ) : (
                <>
                  {second.slice(0, at)}
                  <Highlight>{marked}</Highlight>
                  {second.slice(at + marked.length)}
                </>
              )}
            </span>
          </h1>
          <LeadText className="mt-6">{lead}</LeadText>
          <EstimateQuestion />
          {phone ? (
            <p className="mt-4">
              Rather talk? <a href={phone.href}>{phone.display}</a>
              {hours ? `, ${hours}` : ""}
            </p>
          ) : null}
        </div>
        <DayDocket />
      </PageWidth>
    </div>
  );
}

/** What happens on the first day, the seventh and the thirtieth. */
export function Switching() {
  const { title, text, steps, outcomes, answers, isHidden } = useSiteBrand().content.switching;
  if (isHidden) return null;
  return (
    <SectionRow
      id="switching"
      title={title}
      text={
        <>
          {text} <Link to={CONTACT_PATH}>{assessmentInvitation.label}</Link>
        </>
      }
    >
      <div>
        <ol className="grid gap-x-8 gap-y-6 md:grid-cols-3">
          {switchingDays.map((day, index) => (
            <li key={day} className="border-brand border-t-3 pt-4">
              <b className="text-brand">{day}</b>
              <h3>{steps[index]?.title}</h3>
              <p className="mt-[0.4rem] text-ink-2">{steps[index]?.text}</p>
              <p className="mt-3 flex items-start gap-[0.45rem] font-semibold text-sm">
                <Icon of={CheckCheck} className="mt-[0.2em] text-brand" />
                <span>
                  <VisuallyHidden>You have: </VisuallyHidden>
                  {outcomes[index]}
                </span>
              </p>
            </li>
          ))}
        </ol>
        <dl className="mt-8 grid gap-x-8 gap-y-5 border-line border-t pt-6 md:grid-cols-3">
          {answers.map((answer) => (
            <div key={answer.title}>
              <dt className="font-semibold">{answer.title}</dt>
              <dd className="mt-1 text-ink-2">{answer.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </SectionRow>
  );
}

/** One tick for done, two for done and checked. The ticks are read as words. */
function DayDocket() {
  return (
    <Docket
      id="day"
      as="figure"
      title={dayDocket.title}
      subtitle={<ExampleTag>{dayDocket.disclaimer}</ExampleTag>}
      hasCarbonCopy
    >
      <ol className="*:flex *:flex-wrap *:items-start *:gap-x-[0.7rem] *:gap-y-1 *:border-line *:border-b *:px-in *:py-[0.85rem] *:leading-[1.4] [&_time]:flex-[0_0_3.1rem] [&_time]:font-semibold [&_time]:text-ink-2">
        {dayDocket.entries.map(({ time, text, isChecked }) => (
          <li key={time}>
            <time>{time}</time>
            <span className="flex-[1_1_7rem]">{text}</span>
            <span className={cx("pt-[0.1rem]", isChecked ? "text-brand" : "text-ink-3")}>
              <Icon of={isChecked ? CheckCheck : Check} size="1.4rem" />
              <VisuallyHidden>{isChecked ? "Fixed and checked" : "Done"}</VisuallyHidden>
            </span>
          </li>
        ))}
      </ol>
      <figcaption
        className="flex flex-wrap gap-x-6 gap-y-1 px-in py-[0.9rem] text-ink-2 text-sm *:inline-flex *:items-center *:gap-[0.45rem]"
        aria-hidden="true"
      >
        <span>
          <Icon of={Check} /> done
        </span>
        <span>
          <Icon of={CheckCheck} /> done, then checked
        </span>
      </figcaption>
    </Docket>
  );
}

/** The answer is the address of the pricing page. */
function EstimateQuestion() {
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
