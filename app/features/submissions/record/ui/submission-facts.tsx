import type { Duration, Instant } from "~/lib/time";
import type { Fact } from "~/ui/fact-list";
import { Mono } from "~/ui/mono";
import { StateText } from "~/ui/state-text";
import { Time } from "~/ui/time-ago";
import { leftInWords } from "../response-promise";

type SenderView = {
  account: { name: string; role: "admin" | "moderator" | "user" } | null;
  memberships: readonly { organization: string; role: string; status: "active" | "pending" | "suspended" }[];
};

type PromiseView =
  | { state: "running"; dueAt: Instant; left: Duration }
  | { state: "overdue"; dueAt: Instant }
  | { state: "kept" | "late"; dueAt: Instant; answeredAt: Instant };

export type FactsView = {
  number: string;
  email: string;
  phone: string | null;
  company: string | null;
  source: string | null;
  campaign: string | null;
  isHeld: boolean;
  submittedAt: Instant;
  consentAt: Instant;
  consentTermsVersion: string;
  /** Whom the product knows under the address; `null` when it is nobody's. */
  sender: SenderView | null;
  /** How the promise of an answer stands; `null` where none was given. */
  promise: PromiseView | null;
};

/** Lists who wrote, from where and when, and what they may expect. */
export const submissionFacts = (view: FactsView, zone: string): Fact[] => [
  { term: "Number", detail: <Mono>{view.number}</Mono> },
  { term: "Email", detail: view.email },
  { term: "Phone", detail: view.phone },
  { term: "Company", detail: view.company },
  { term: "Account", detail: view.sender ? senderWords(view.sender) : "None with this address" },
  { term: "Submitted", detail: <Time at={view.submittedAt} zone={zone} /> },
  ...(view.promise ? [{ term: "Promise", detail: <Promised promise={view.promise} zone={zone} /> }] : []),
  { term: "Source", detail: sourceWords(view) },
  { term: "Review", detail: view.isHeld ? "Held" : "Passed" },
  {
    term: "Consent",
    detail: (
      <>
        <Time at={view.consentAt} zone={zone} />
        <span className="block text-ink-3 text-xs">Terms of {view.consentTermsVersion}</span>
      </>
    ),
  },
];

/** Returns "Dana Whitlock, Brightsmile Dental (owner)" or "Invited to Harbor House Counseling". */
function senderWords({ account, memberships }: SenderView): string {
  const places = memberships.map(({ organization, role, status }) =>
    status === "active" ? `${organization} (${role})` : `${organization} (${role}, ${status})`,
  );
  if (!account) return `Invited to ${memberships.map(({ organization }) => organization).join(", ")}`;
  const staff = account.role === "user" ? [] : [`staff (${account.role})`];
  const where = [...staff, ...places];
  return [account.name, ...(where.length > 0 ? where : ["no organization"])].join(", ");
}

function sourceWords({ source, campaign }: FactsView): string {
  if (source === null && campaign === null) return "Not known";
  return [source, campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");
}

/** Tells in words how the promise stands, without a clock that runs. */
function Promised({ promise, zone }: { promise: PromiseView; zone: string }) {
  switch (promise.state) {
    case "running":
      return (
        <>
          1 business day – {leftInWords(promise.left)}
          <span className="block text-ink-3 text-xs">
            until <Time at={promise.dueAt} zone={zone} />
          </span>
        </>
      );
    case "overdue":
      return (
        <>
          <StateText tone="waiting">1 business day – overdue</StateText>
          <span className="block text-ink-3 text-xs">
            since <Time at={promise.dueAt} zone={zone} />
          </span>
        </>
      );
    case "kept":
    case "late":
      return (
        <>
          1 business day – {promise.state === "kept" ? "kept" : "answered late"}
          <span className="block text-ink-3 text-xs">
            <Time at={promise.answeredAt} zone={zone} />
          </span>
        </>
      );
  }
}
