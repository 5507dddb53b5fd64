import type { ReactNode } from "react";
import { Avatar } from "~/ui/avatar";
import { cx } from "~/ui/cx";
import { Checkbox, Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel, Rejection } from "~/ui/page";
import { Time } from "~/ui/text";
import { closeLabel } from "../labels";
import { clientTicketPath } from "../paths";
import { ColleagueFields, MuteForm } from "../ui/people-forms";
import type { ClientTicketPage, ClientTicketResult } from "./read-client-ticket.server";

type SidebarProps = Pick<
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
  | "ccPath"
  | "timeline"
  | "zone"
> & { token: string };

const ON_LINE = cx(
  "wrap-anywhere relative border-line border-l pb-3 pl-4 last:border-transparent last:pb-0",
  "before:absolute before:top-[0.3rem] before:-left-[0.3rem] before:size-2 before:rounded-full before:border-2 before:border-brand before:bg-sheet",
);

export function TicketSidebar(props: SidebarProps) {
  const { timeline, zone } = props;
  return (
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="About this ticket">
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
      <div className="empty:hidden print:hidden">
        <Closing {...props} />
      </div>
    </aside>
  );
}

export function ChangeForm({
  number,
  organizationId,
  token,
  intent,
  name = intent,
  className,
  children,
}: Pick<SidebarProps, "number" | "organizationId" | "token"> & {
  intent: string;
  name?: string;
  className?: string;
  children: ReactNode;
}) {
  const action = clientTicketPath(number);
  const problem = useFormResult<ClientTicketResult>(formKey(action, name));
  return (
    <Form className={cx("print:hidden", className)} action={action} name={name} token={token} intent={intent}>
      <input type="hidden" name="organization_id" value={organizationId} />
      <Rejection message={problem?.intent === intent ? problem.errors.form : null} />
      {children}
    </Form>
  );
}

function Closing({ moves, ...form }: SidebarProps) {
  if (!moves.includes("close")) return null;
  const isActive = moves.includes("solved");
  return (
    <Panel id="closing" title="Not needed any more?">
      <ChangeForm {...form} intent="move" name="close" className="grid gap-2">
        <SubmitButton variant="quiet" size="sm" wide name="move" value="close">
          {closeLabel(isActive)}
        </SubmitButton>
      </ChangeForm>
      <p className="mt-2 text-ink-2 text-sm">You can reopen it for 14 days.</p>
    </Panel>
  );
}

function People(props: SidebarProps) {
  const { people, colleagues, hasMoreColleagues, ccPath, mayChange, isPrivate, isMuted, ...form } = props;
  const problem = useFormResult<ClientTicketResult>(formKey(clientTicketPath(form.number), "add"));
  const adding = problem?.intent === "add" ? problem : null;
  return (
    <Panel id="people" title="People on this ticket">
      <ul className="grid gap-2">
        {people.map(({ name, fullName, note, userId }) => (
          <li key={`${name} ${note}`} className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2">
            <Avatar name={fullName} />
            <span className="wrap-anywhere">
              {name} <small className="text-ink-2 text-xs">{note}</small>
            </span>
            {userId ? (
              <ChangeForm {...form} intent="remove" name={`remove ${userId}`}>
                <input type="hidden" name="user_id" value={userId} />
                <SubmitButton
                  variant="quiet"
                  size="xs"
                  aria-label={name === "You" ? "Leave this ticket" : `Remove ${name}`}
                >
                  {name === "You" ? "Leave" : "Remove"}
                </SubmitButton>
              </ChangeForm>
            ) : null}
          </li>
        ))}
      </ul>
      {colleagues.length > 0 ? (
        <details className="mt-3 print:hidden" open={adding !== null}>
          <summary className="cursor-pointer py-1 text-link text-sm underline max-md:py-3">Add a person</summary>
          <ChangeForm {...form} intent="add" className="mt-2 grid gap-2">
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
          </ChangeForm>
        </details>
      ) : null}
      {ccPath ? (
        <p className="mt-3 text-sm print:hidden">
          <Link to={ccPath}>Copy other addresses…</Link>
        </p>
      ) : null}
      {mayChange ? (
        <ChangeForm {...form} intent="privacy" className="mt-3 grid gap-2 border-line border-t pt-3 text-sm">
          <Checkbox
            key={String(isPrivate)}
            name="private"
            label={`Keep private: only you, the people above, organization admins and support${ccPath && !isPrivate ? ". Copies to other addresses end" : ""}`}
            defaultChecked={isPrivate}
          />
          <SubmitButton variant="quiet" size="sm" className="justify-self-start">
            Save
          </SubmitButton>
        </ChangeForm>
      ) : null}
      <div className="mt-3 border-line border-t pt-3 print:hidden">
        <MuteForm isMuted={isMuted} path={clientTicketPath(form.number)} token={form.token}>
          <input type="hidden" name="organization_id" value={form.organizationId} />
        </MuteForm>
      </div>
    </Panel>
  );
}
