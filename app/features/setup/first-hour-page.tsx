import type { ReactNode } from "react";
import { ADMIN_HOME_PATH, FIRST_HOUR_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { type Tone, ToneIcon } from "~/ui/status-pill";
import { VisuallyHidden } from "~/ui/text";
import type { FirstHourStep } from "./first-hour";

const STATES: Record<FirstHourStep["state"], { tone: Tone; word: string; bar: string }> = {
  done: { tone: "resolved", word: "Done", bar: "bg-brand" },
  begun: {
    tone: "progress",
    word: "Begun",
    bar: "bg-linear-[90deg,var(--color-brand)_50%,var(--color-line-strong)_50%]",
  },
  open: { tone: "closed", word: "Not done", bar: "bg-line-strong" },
};

const GLYPH_TONES: Record<FirstHourStep["state"], Tone> = { done: "resolved", begun: "progress", open: "open" };

type Tokens = Record<"reviewed" | "seen" | "domain", string | null>;

type FirstHourProps = {
  steps: readonly FirstHourStep[];
  domain: string | null;
  site: SitePictureProps;
  unwritten: readonly { label: string; text: string; to: string }[];
  tokens: Tokens;
};

export function FirstHour({ steps, domain, site, unwritten, tokens }: FirstHourProps) {
  const left = steps.filter(({ state }) => state !== "done");
  const count = steps.length - left.length;
  const minutes = left.reduce((sum, step) => sum + step.minutes, 0);
  return (
    <>
      <div>
        <p className="max-w-none text-[1.0625rem]">
          <b>
            {count} of {steps.length} done.
          </b>{" "}
          {left.length > 0
            ? `About ${plural(minutes, "minute")} are left. Each step knows by itself when it is finished; this page leaves the menu when all are.`
            : "That was the first hour. This page is no longer in the menu."}
        </p>
        <div className="mt-3 flex gap-[3px]" aria-hidden="true">
          {steps.map(({ id, state }) => (
            <span key={id} className={cx("h-[0.4rem] flex-1 rounded-[1px] forced-colors:border", STATES[state].bar)} />
          ))}
        </div>
      </div>
      <div className="grid @max-wide:grid-cols-[minmax(0,1fr)] grid-cols-[minmax(0,1fr)_20rem] items-start gap-5">
        <ol className="rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet *:not-first:border-line *:not-first:border-t">
          {steps.map((step) => (
            <Step key={step.id} step={step} isNext={step === left[0]} tokens={tokens} />
          ))}
        </ol>
        <div className="grid gap-4">
          {domain ? <CompanyDomain domain={domain} token={tokens.domain} /> : null}
          <SitePicture {...site} />
          {unwritten.length > 0 ? (
            <Sheet id="unwritten" title="Not shown until you write it">
              <SheetRows>
                {unwritten.map(({ label, text, to }) => (
                  <li key={label}>
                    <Link to={to}>{label}</Link>
                    <span className="block text-ink-2 text-sm">{text}</span>
                  </li>
                ))}
              </SheetRows>
            </Sheet>
          ) : null}
          {left.length > 0 ? (
            <p className="text-ink-2">
              Not now? <Link to={ADMIN_HOME_PATH}>Go to the dashboard.</Link> The line “The first hour” stays in the
              menu.
            </p>
          ) : null}
        </div>
      </div>
    </>
  );
}

function Step({ step, isNext, tokens }: { step: FirstHourStep; isNext: boolean; tokens: Tokens }) {
  const { id, title, state, text, missing, to, minutes } = step;
  const isDone = state === "done";
  return (
    <li
      id={id}
      className={cx(
        "relative grid @max-narrow:grid-cols-[1.6rem_minmax(0,1fr)] grid-cols-[1.6rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-4 py-2.5",
        isNext && "border-l-[3px] border-l-brand bg-brand-tint",
      )}
    >
      <ToneIcon tone={GLYPH_TONES[state]} size="1.35rem" className="mt-px" />
      <div>
        <h2 className={cx("text-base", isDone && "font-medium text-ink-2")}>
          <VisuallyHidden>{STATES[state].word}: </VisuallyHidden>
          {id === "site" ? title : <Link to={to}>{title}</Link>}
        </h2>
        <p className={cx("max-w-none text-sm", isDone ? "text-ink-2" : "text-ink")}>
          {missing ? <b className="font-semibold">Missing: {missing}. </b> : null}
          {text}
        </p>
        {id === "legal" && !isDone ? <Reviewed token={tokens.reviewed} /> : null}
      </div>
      <div className="@max-narrow:col-start-2 self-center @max-narrow:text-left text-right text-ink-2 text-sm">
        <StepAction step={step} isNext={isNext} tokens={tokens} />
        {isDone ? null : <span className="block text-xs">{minutes} min</span>}
      </div>
    </li>
  );
}

function StepAction({
  step: { id, state, to, label },
  isNext,
  tokens,
}: {
  step: FirstHourStep;
  isNext: boolean;
  tokens: Tokens;
}): ReactNode {
  const variant = isNext ? "primary" : "quiet";
  if (id === "site")
    return (
      <Form action={FIRST_HOUR_PATH} name="seen" token={tokens.seen ?? ""} reloadDocument intent="seen">
        <SubmitButton variant={state === "done" ? "ghost" : variant} size="sm">
          {label}
        </SubmitButton>
      </Form>
    );
  return state === "done" ? (
    <Link to={to}>{label}</Link>
  ) : (
    <LinkButton variant={variant} size="sm" to={to}>
      {label}
    </LinkButton>
  );
}

function Reviewed({ token }: { token: string | null }) {
  return (
    <Form
      className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm"
      action={FIRST_HOUR_PATH}
      name="reviewed"
      token={token ?? ""}
      intent="reviewed"
    >
      <span>
        Read <a href="/terms">the terms</a> and <a href="/privacy">the privacy notice</a> as visitors do, then
      </span>
      <SubmitButton variant="quiet" size="xs">
        I have reviewed both
      </SubmitButton>
    </Form>
  );
}

function CompanyDomain({ domain, token }: { domain: string; token: string | null }) {
  return (
    <Panel id="domain" title={`Is ${domain} your company’s domain?`}>
      <p className="mb-3 text-ink-2 text-sm">
        Then staff with an address under it land here after signing in, and other staff in the client portal, with a way
        here. Until you say so, all staff land here. It gives no one access.
      </p>
      <Form action={FIRST_HOUR_PATH} name="domain" token={token ?? ""} intent="domain">
        <SubmitButton variant="quiet" size="sm">
          Use {domain}
        </SubmitButton>
      </Form>
    </Panel>
  );
}

type SitePictureProps = {
  name: string;
  phone: string;
  address: string;
  examples: Record<"name" | "phone" | "address" | "email", boolean>;
};

/** Shows what is still an example on the site. */
function SitePicture({ name, phone, address, examples }: SitePictureProps) {
  const isAny = examples.name || examples.phone || examples.address;
  return (
    <Sheet id="site-now" title="Your site, now" isMain aside={<a href="/">Open</a>}>
      <div className="mx-4 mb-3 overflow-hidden rounded-2 border border-line-strong bg-page text-xs">
        <p className="flex flex-wrap justify-between gap-x-3 border-line border-b px-3 py-2">
          <b className="text-sm">
            <Fact isExample={examples.name}>{name}</Fact>
          </b>
          <Fact isExample={examples.phone}>{phone}</Fact>
        </p>
        <p className="wrap-anywhere px-3 py-2 text-ink-2">
          <Fact isExample={examples.address}>{address || "No address"}</Fact>
        </p>
      </div>
      {isAny ? (
        <p className="px-4 pb-3 text-ink-2 text-sm">
          <Fact isExample>Underlined</Fact> is still an example.
        </p>
      ) : null}
    </Sheet>
  );
}

const Fact = ({ isExample, children }: { isExample: boolean; children: ReactNode }) =>
  isExample ? (
    <span className="border-canary border-b-2 bg-canary-sheet text-on-canary-sheet">{children}</span>
  ) : (
    children
  );
