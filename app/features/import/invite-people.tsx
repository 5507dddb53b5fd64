import { withParams } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { ButtonRow } from "~/ui/button";
import { Form, SubmitButton, Tick } from "~/ui/form";
import { Link } from "~/ui/link";
import { useLooksAgain } from "~/ui/looks-again";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/text";
import type { readPeople } from "./invite-people.server";
import { INVITATION_OUTCOMES, LONG_WORK } from "./labels";
import { INVITE_PEOPLE_PATH, invitePeoplePath } from "./paths";

type PeopleRead = Awaited<ReturnType<typeof readPeople>>;
type View = Omit<PeopleRead, "organizations" | "people">;
type People = NonNullable<PeopleRead["people"]>;

function WaitingPanel({ waiting, waitsUntil, zone }: View) {
  useLooksAgain(waiting > 0 && waitsUntil === null);
  if (waiting === 0) return null;
  return (
    <Panel id="waiting" title={`${plural(waiting, "invitation")} to send`}>
      <p role="status">
        {waitsUntil === null ? (
          LONG_WORK
        ) : (
          <>
            No more go today. The rest goes by itself from <Time at={waitsUntil} zone={zone} /> on.
          </>
        )}
      </p>
    </Panel>
  );
}

export function InviteFrom({ organizations, ...view }: Omit<PeopleRead, "people">) {
  const next = organizations?.next;
  return (
    <>
      <WaitingPanel {...view} />
      <Sheet id="organizations" title="People without an account">
        {organizations?.rows.length === 0 ? <p className="px-4 pb-3">Everyone known here has an account.</p> : null}
        <SheetRows>
          {organizations?.rows.map(({ id, name, people }) => (
            <li key={id} className="wrap-anywhere">
              <Link to={invitePeoplePath(id)}>{name}</Link>
              <span className="text-ink-2 text-sm"> {plural(people, "person", "people")}</span>
            </li>
          ))}
        </SheetRows>
      </Sheet>
      {next ? (
        <p>
          <Link to={withParams(INVITE_PEOPLE_PATH, { after: next })}>Next organizations</Link>
        </p>
      ) : null}
    </>
  );
}

export function InvitePeople({ people, ...view }: View & { people: People }) {
  const { organization, rows, next } = people;
  const { zone, tokens } = view;
  const hidden = (intent: string) => (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="organization" value={organization.id} />
    </>
  );
  return (
    <>
      <WaitingPanel {...view} />
      {organization.waiting > 0 ? (
        <Form action={INVITE_PEOPLE_PATH} token={tokens.stop ?? undefined} name="stop">
          {hidden("stop")}
          <SubmitButton variant="quiet">{`Don't send the ${plural(organization.waiting, "invitation")} that wait here`}</SubmitButton>
        </Form>
      ) : null}
      <Form
        // Those who were sent one are ticked no more.
        key={rows.map(({ isFree }) => Number(isFree)).join("")}
        action={INVITE_PEOPLE_PATH}
        token={tokens.invite ?? undefined}
        name="invite"
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
      >
        {hidden("invite")}
        <DataTable
          id="people"
          caption={`People of ${organization.name} without an account`}
          columns={[
            {
              label: "Name",
              header: true,
              wide: true,
              cell: ({ id, name, isFree }) => (
                <Tick type="checkbox" name="person" value={id} disabled={!isFree}>
                  {name}
                </Tick>
              ),
            },
            {
              label: "Email",
              cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
              wide: true,
              labelled: true,
            },
            { label: "Invitation", cell: (person) => <Sent person={person} zone={zone} />, labelled: true },
          ]}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<p>Everyone known here has an account.</p>}
        />
        {rows.some(({ isFree }) => isFree) ? (
          <ButtonRow>
            <SubmitButton pendingLabel="Inviting…">Invite those chosen</SubmitButton>
            {organization.free > 1 ? (
              <SubmitButton variant="quiet" name="all" value="1">
                {`Invite all ${organization.free.toLocaleString("en-US")}`}
              </SubmitButton>
            ) : null}
            <span className="text-ink-2 text-sm">Each gets a mail, and becomes a member by accepting it.</span>
          </ButtonRow>
        ) : null}
      </Form>
      {next ? (
        <p>
          <Link to={invitePeoplePath(organization.id, next)}>Next people</Link>
        </p>
      ) : null}
    </>
  );
}

function Sent({
  person: { isWaiting, waitsUntil, outcome, invitation },
  zone,
}: {
  person: People["rows"][number];
  zone: string;
}) {
  if (waitsUntil !== null)
    return (
      <>
        Goes from <Time at={waitsUntil} zone={zone} /> on
      </>
    );
  if (isWaiting) return "Is being sent";
  if (invitation === null) return outcome === null ? "Not invited" : INVITATION_OUTCOMES[outcome];
  const { state, sentAt, failure } = invitation;
  if (failure !== null) return <span className="text-danger">{failure}</span>;
  return (
    <>
      {state === "expired" ? "Expired, sent" : "Pending, sent"} <Time at={sentAt} zone={zone} />
    </>
  );
}
