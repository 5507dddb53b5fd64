import type { MetaDescriptor } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { hasErrors, rootBrand } from "~/features/settings/brand";
import { PROFILE_PATH } from "~/lib/addresses";
import { Button, ButtonRow } from "~/ui/button";
import { Field, Form, Input, SubmitButton, Textarea } from "~/ui/form";
import { Breadcrumb, FormColumn } from "~/ui/page";
import { Time } from "~/ui/text";
import type { loadSessionsPage } from "./sessions-page.server";
import type { loadUnsentPage } from "./unsent-form.server";

type AccountPageProps = {
  title: string;
  lead?: ReactNode;
  isBelow?: boolean;
  children: ReactNode;
};

export const PROFILE_TITLE = "Personal Settings";

/** The style sheet of the frame says how much room there is: `head` is smaller inside an area than on the site. */
export function AccountPage({ title, lead, isBelow = false, children }: AccountPageProps) {
  return (
    <>
      {isBelow ? <Breadcrumb items={[{ label: PROFILE_TITLE, to: PROFILE_PATH }, { label: title }]} dense /> : null}
      <div className="@max-narrow:clear-both pb-head">
        <h1>{title}</h1>
        {lead ? <p className="mt-lead max-w-[34em] text-ink-2 text-lead/[1.5]">{lead}</p> : null}
      </div>
      <div className="clear-both">{children}</div>
    </>
  );
}

export function AccountBody({ children }: { children: ReactNode }) {
  return <div className="grid max-w-160 grid-cols-[minmax(0,1fr)] gap-6 pb-[clamp(3rem,6vw,5rem)]">{children}</div>;
}

type TitledAccountPage = { matches: Parameters<typeof rootBrand>[0]; data?: unknown };

/** The title begins with "Error:" where a form was rejected (`hasErrors`). */
export const accountMeta = ({ matches, data }: TitledAccountPage, title: string): MetaDescriptor[] => [
  { title: `${hasErrors(data) ? "Error: " : ""}${title} | ${rootBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];

type SessionListProps = Omit<Awaited<ReturnType<typeof loadSessionsPage>>, "hasErrors">;

const ACTION = "/profile/sessions";

export function SessionList({ sessions, zone, token }: SessionListProps) {
  return (
    <>
      <ul>
        {sessions.map((session) => (
          <li
            key={session.sessionHash}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line-strong border-b py-[0.9rem]"
          >
            <div>
              <b>{session.device}</b>
              {session.isCurrent ? " (this browser)" : null}
              <p className="text-ink-2 text-sm *:whitespace-normal">
                Network {session.network}. Signed in <Time at={session.startedAt} zone={zone} />, last seen{" "}
                <Time at={session.lastSeenAt} zone={zone} />.
              </p>
            </div>
            {session.isCurrent ? null : (
              <Form action={ACTION} token={token} reloadDocument intent="revoke">
                <input type="hidden" name="session" value={session.sessionHash} />
                <SubmitButton variant="quiet" size="sm" aria-label={`Sign out ${session.device}`}>
                  Sign out
                </SubmitButton>
              </Form>
            )}
          </li>
        ))}
      </ul>
      <ButtonRow>
        {sessions.length > 1 ? (
          <Form action={ACTION} token={token} reloadDocument intent="revoke-others">
            <SubmitButton variant="quiet">Sign out all others</SubmitButton>
          </Form>
        ) : null}
        <Form action={ACTION} token={token} reloadDocument intent="end-all">
          <SubmitButton variant="danger">Sign out everywhere</SubmitButton>
        </Form>
      </ButtonRow>
    </>
  );
}

type UnsentFormProps = Awaited<ReturnType<typeof loadUnsentPage>>;

export function UnsentForm({ action, token, formToken, fields }: UnsentFormProps) {
  return (
    <FormColumn>
      <Form action={action} token={formToken} reloadDocument data-native="">
        <input type="hidden" name="unsent_token" value={token} />
        {fields.map(({ index, name, value, label, isLong }) =>
          label === null ? (
            <input key={index} type="hidden" name={name} value={value} />
          ) : (
            <Field key={index} name={name} label={label}>
              {isLong ? <Textarea rows={8} defaultValue={value} /> : <Input defaultValue={value} />}
            </Field>
          ),
        )}
        <p className="text-ink-2 text-sm">
          Passwords, codes and files are not kept: the next page may ask for them again.
        </p>
        <ButtonRow>
          <Button type="submit" name="unsent" value="send">
            Send it now
          </Button>
          <Button type="submit" variant="quiet" name="unsent" value="discard">
            Don't send it
          </Button>
        </ButtonRow>
      </Form>
    </FormColumn>
  );
}
