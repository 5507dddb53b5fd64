import { USERS_PATH } from "~/features/users/subject";
import { mailtoHref } from "~/lib/contact-links";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Tag } from "~/ui/status-pill";
import { ROLE_LABELS, STATUS_TAGS } from "../../copy";
import type { PersonAccount } from "../model";

/** Shows whose account it is, with its role and, where it is not simply in use, its state. */
export function PersonHead({ account, isOwn }: { account: PersonAccount; isOwn: boolean }) {
  const { name, email, role, status } = account;
  const state = STATUS_TAGS[status];
  return (
    <>
      <Breadcrumb dense items={[{ label: "Users", to: USERS_PATH }, { label: name }]} />
      <div className="clear-both flex flex-wrap items-center gap-x-[0.9rem] gap-y-[0.35rem]">
        <h1 className="wrap-anywhere">{name}</h1>
        <Tag>{ROLE_LABELS[role]}</Tag>
        {state ? <Tag>{state}</Tag> : null}
        {isOwn ? <Tag>you</Tag> : null}
      </div>
      <p className="mt-1 text-ink-2">
        <a className="wrap-anywhere" href={mailtoHref(email)}>
          {email}
        </a>
        {/* Where it stands below everything else, there is a way to it. */}
        {status === "unverified" ? null : (
          <a className="ml-4 @max-wide:inline hidden print:hidden" href="#access-title">
            Access
          </a>
        )}
      </p>
    </>
  );
}
