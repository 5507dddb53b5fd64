import type { ReactNode } from "react";
import { Avatar } from "~/ui/avatar";
import { Checkbox } from "~/ui/checkbox";
import { cx } from "~/ui/cx";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { TRANSITION_LABELS } from "../../client-list/copy";
import { clientTicketPath } from "../../subject";
import { ColleagueFields } from "../../ui/colleague-fields";
import { MuteForm } from "../../ui/mute-form";
import type { ClientTicketPage, ClientTicketResult } from "../model";

type RailProps = Pick<
  ClientTicketPage,
  | "number"
  | "organizationId"
  | "moves"
  | "people"
  | "colleagues"
  | "hasMoreColleagues"
  | "mayChange"
  | "isPrivate"
  | "isMuted"
  | "copiesPath"
  | "timeline"
  | "zone"
> & { token: string };

/** Draws a line beside the entries, from dot to dot. */
const ON_LINE = cx(
  "wrap-anywhere relative border-line border-l pb-3 pl-4 last:border-transparent last:pb-0",
  "before:absolute before:top-[0.3rem] before:-left-[0.3rem] before:size-2 before:rounded-full before:border-2 before:border-brand before:bg-sheet",
);

/** Shows what belongs to the ticket: whether it is solved, who reads it, what has happened. */
export function TicketRail(props: RailProps) {
  const { timeline, zone } = props;
  return (
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="About this ticket">
      <div className="empty:hidden print:hidden">
        <Moves {...props} />
      </div>
      <People {...props} />
      <Panel id="timeline" title="Timeline">
        <ol className="ml-1 text-sm">
          {timeline.map(({ id, at, text }) => (
            <li key={id} className={ON_LINE}>
              {text}
              <br />
              <span className="text-ink-3 text-xs">
                <Time at={at} zone={zone} mode="short" />
              </span>
            </li>
          ))}
        </ol>
      </Panel>
    </aside>
  );
}

type RailFormProps = Pick<RailProps, "number" | "organizationId" | "token"> & {
  intent: string;
  /** Names the form, where another one has the same intent. */
  name?: string;
  className?: string;
  children: ReactNode;
};

/** Shows the form of one change of the ticket, and says above its fields why it was not made. */
function RailForm({ number, organizationId, token, intent, name = intent, className, children }: RailFormProps) {
  const action = clientTicketPath(number);
  const problem = useFormResult<ClientTicketResult>(formKey(action, name));
  return (
    <Form className={cx("print:hidden", className)} action={action} name={name} token={token}>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="organization_id" value={organizationId} />
      {problem?.intent === intent && problem.errors.form ? (
        <div role="alert">
          <Notice kind="error" message={problem.errors.form} />
        </div>
      ) : null}
      {children}
    </Form>
  );
}

/** Asks whether it is solved, in the ways that are open to the reader now. */
function Moves({ moves, ...form }: RailProps) {
  if (moves.length === 0) return null;
  const isOpen = moves.includes("solved");
  return (
    <Panel id="moves" title={isOpen ? "Is it solved?" : "Solved?"}>
      <p className="mb-3 text-ink-2 text-sm">
        {isOpen
          ? "Solved tickets reopen when you write within 14 days."
          : "Still broken? Reopen it, and tell us what happens."}
      </p>
      <RailForm {...form} intent="move" className="flex flex-wrap gap-3">
        {moves.map((move, index) => (
          <SubmitButton
            key={move}
            variant={isOpen && index === 0 ? "primary" : "quiet"}
            size="sm"
            name="move"
            value={move}
          >
            {TRANSITION_LABELS[move]}
          </SubmitButton>
        ))}
      </RailForm>
    </Panel>
  );
}

function People(props: RailProps) {
  const { people, colleagues, hasMoreColleagues, copiesPath, mayChange, isPrivate, isMuted, ...form } = props;
  const problem = useFormResult<ClientTicketResult>(formKey(clientTicketPath(form.number), "add"));
  const adding = problem?.intent === "add" ? problem : null;
  return (
    <Panel id="people" title="People on this ticket">
      <ul className="grid gap-2">
        {people.map(({ name, note, userId }) => (
          <li key={`${name} ${note}`} className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2">
            <Avatar name={name} />
            <span className="wrap-anywhere">
              {name} <small className="text-ink-2 text-xs">{note}</small>
            </span>
            {userId ? (
              <RailForm {...form} intent="remove" name={`remove ${userId}`}>
                <input type="hidden" name="user_id" value={userId} />
                <SubmitButton
                  variant="quiet"
                  size="xs"
                  aria-label={name === "You" ? "Leave this ticket" : `Remove ${name}`}
                >
                  {name === "You" ? "Leave" : "Remove"}
                </SubmitButton>
              </RailForm>
            ) : null}
          </li>
        ))}
      </ul>
      {colleagues.length > 0 ? (
        <details className="mt-3 print:hidden" open={adding !== null}>
          <summary className="cursor-pointer py-1 text-link text-sm underline max-md:py-3">Add a person</summary>
          <RailForm {...form} intent="add" className="mt-2 grid gap-2">
            <ColleagueFields
              name="user_id"
              label="Colleague"
              colleagues={colleagues}
              isMore={hasMoreColleagues}
              error={adding}
            />
            <SubmitButton variant="quiet" size="sm" className="justify-self-start">
              Add
            </SubmitButton>
          </RailForm>
        </details>
      ) : null}
      {copiesPath ? (
        <p className="mt-3 text-sm print:hidden">
          <Link to={copiesPath}>Copies by mail…</Link>
        </p>
      ) : null}
      {mayChange ? (
        <RailForm {...form} intent="privacy" className="mt-3 grid gap-2 border-line border-t pt-3 text-sm">
          <Checkbox
            key={String(isPrivate)}
            name="private"
            label={`Keep private: only you, the people above, organization admins and support${copiesPath && !isPrivate ? ". Copies by mail end" : ""}`}
            defaultChecked={isPrivate}
          />
          <SubmitButton variant="quiet" size="sm" className="justify-self-start">
            Save
          </SubmitButton>
        </RailForm>
      ) : null}
      <div className="mt-3 border-line border-t pt-3 print:hidden">
        <MuteForm isMuted={isMuted} path={clientTicketPath(form.number)} token={form.token}>
          <input type="hidden" name="organization_id" value={form.organizationId} />
        </MuteForm>
      </div>
    </Panel>
  );
}
