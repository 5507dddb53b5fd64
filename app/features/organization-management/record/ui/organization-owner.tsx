import type { InvitationState } from "~/features/invitations/model";
import { UNDELIVERED } from "~/features/mail/model";
import { TRANSFER_OWNERSHIP } from "~/features/members/copy";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { EmailInput } from "~/ui/input";
import { Link } from "~/ui/link";
import { Mono } from "~/ui/mono";
import { Tag } from "~/ui/status-pill";
import { Time } from "~/ui/time";
import { MEMBER_ROLE_LABELS } from "../../copy";
import { type ListedMember, type RecordFormError, type RecordIntent, waitsForReview } from "../../model";

type Owner = ListedMember & { invitation: InvitationState | null };

type OrganizationOwnerProps = {
  owner: Owner | null;
  zone: string;
  /** Holds the address of the page, which takes the forms. */
  path: string;
  /** Holds the tokens of the forms; `null` where the reader may not use one. */
  tokens: Record<RecordIntent, string | null>;
  errors: Record<RecordIntent, RecordFormError | null>;
  /** Holds the address of the page that passes ownership on; null where the reader may not. */
  transferTo: string | null;
};

/** Shows who owns the organization; who was invited to; or the form that invites an owner where there is none. */
export function OrganizationOwner({ owner, ...rest }: OrganizationOwnerProps) {
  const { transferTo } = rest;
  if (owner && waitsForReview(owner)) return <WaitingOwner owner={owner} />;
  if (owner?.status === "pending") return <PendingOwner owner={owner} {...rest} />;
  return (
    <div className="grid gap-3">
      {owner ? (
        <p className="wrap-anywhere">
          <b>{owner.name}</b> <Tag>{MEMBER_ROLE_LABELS.owner}</Tag>
          <span className="block text-ink-2 text-sm">{owner.email}</span>
        </p>
      ) : (
        <InviteOwner {...rest} />
      )}
      {transferTo ? (
        <p>
          <Link to={transferTo}>{owner ? `${TRANSFER_OWNERSHIP}…` : "Make a member the owner…"}</Link>
        </p>
      ) : null}
    </div>
  );
}

type PartProps = Omit<OrganizationOwnerProps, "owner">;

function InviteOwner({ path, tokens, errors }: PartProps) {
  if (!tokens.owner) return <p className="text-ink-2">No owner</p>;
  const error = errors.owner;
  return (
    <Form action={path} token={tokens.owner} name="owner" className="grid gap-3">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Field name="owner_email" label="No owner yet. Invite one" error={error?.errors.owner_email}>
        <EmailInput autoComplete="off" defaultValue={error?.values.owner_email} />
      </Field>
      <div>
        <SubmitButton size="sm" variant="quiet" name="intent" value="owner" pendingLabel="Inviting...">
          Invite owner
        </SubmitButton>
      </div>
    </Form>
  );
}

function WaitingOwner({ owner: { name, email } }: { owner: Owner }) {
  return (
    <p className="wrap-anywhere">
      <b>{name}</b>
      <span className="block text-ink-2 text-sm">{email}</span>
      <span className="mt-1 block text-sm">Waits until you have reviewed the organization.</span>
    </p>
  );
}

function PendingOwner({ owner, zone, path, tokens, errors }: PartProps & { owner: Owner }) {
  const { email, invitation } = owner;
  const hasFailed = UNDELIVERED.some((status) => status === invitation?.mail);
  const error = errors.resend ?? errors.revoke;
  const link = errors.link;
  return (
    <div className="grid gap-2">
      <p className="wrap-anywhere">
        <Tag className="font-semibold">Owner pending</Tag>
        <span className="mt-1 block">{email}</span>
      </p>
      {invitation ? (
        <p className="text-ink-2 text-sm">
          Invited by {invitation.invitedBy}, <Time at={invitation.sentAt} zone={zone} mode="short" />.{" "}
          {invitation.state === "expired" ? (
            "The invitation has expired."
          ) : (
            <>
              Expires <Time at={invitation.expiresAt} zone={zone} mode="short" />.
            </>
          )}
        </p>
      ) : null}
      {invitation?.mail === "delayed" ? <p className="text-ink-2 text-sm">Email delayed</p> : null}
      {hasFailed ? (
        <p className="font-semibold text-danger text-sm">Email failed: {invitation?.failure ?? "not delivered"}</p>
      ) : null}
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      {link?.values.url ? (
        <p className="wrap-anywhere text-sm" role="status">
          Send this link to {email}. It is shown only once: <Mono>{link.values.url}</Mono>
        </p>
      ) : null}
      <ButtonRow dense>
        <OwnerForm intent="resend" label="Resend" pendingLabel="Sending..." path={path} token={tokens.resend} />
        <OwnerForm intent="revoke" label="Revoke" pendingLabel="Revoking..." path={path} token={tokens.revoke} />
        {hasFailed ? (
          <OwnerForm intent="link" label="Copy link" pendingLabel="Making..." path={path} token={tokens.link} />
        ) : null}
      </ButtonRow>
    </div>
  );
}

type OwnerFormProps = {
  intent: "resend" | "revoke" | "link";
  label: string;
  pendingLabel: string;
  path: string;
  token: string | null;
};

function OwnerForm({ intent, label, pendingLabel, path, token }: OwnerFormProps) {
  if (!token) return null;
  return (
    <Form action={path} token={token} name={intent}>
      <SubmitButton variant="quiet" size="sm" name="intent" value={intent} pendingLabel={pendingLabel}>
        {label}
      </SubmitButton>
    </Form>
  );
}
