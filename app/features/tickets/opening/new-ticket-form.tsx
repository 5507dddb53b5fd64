import { FilesField } from "~/features/attachments/files";
import { SecretWarning } from "~/features/conversation/composer";
import { useBrand } from "~/features/settings/brand";
import type { ValidationError } from "~/lib/form";
import { cx } from "~/ui/cx";
import {
  Checkbox,
  ErrorSummary,
  Field,
  FieldError,
  Form,
  formKey,
  Input,
  Select,
  SubmitButton,
  Textarea,
  Tick,
  useFieldError,
  useFormResult,
} from "~/ui/form";
import { Panel } from "~/ui/page";
import { PRIORITY_DESCRIPTIONS, PRIORITY_LABELS } from "../labels";
import { DEFAULT_PRIORITY, TICKET_CATEGORIES, TICKET_PRIORITIES, TITLE_LIMIT } from "../model";
import { NEW_TICKET_PATH } from "../paths";
import { PriorityBadge } from "../ui/badges";
import type { NewTicketPage } from "./client-opening.server";

const NEW_TICKET_FORM = "new-ticket";

type NewTicketFormProps = Pick<NewTicketPage, "organizationId" | "organizations" | "previews" | "room"> & {
  token: string;
};

const PRIORITY_HELP = {
  urgent: "nobody can work, or data may be at risk",
  high: "someone can't do part of their job",
  medium: "annoying, but there is a way round it",
  low: "a question or a wish",
} as const;

export function NewTicketForm({ organizationId, organizations, previews, room, token }: NewTicketFormProps) {
  const problem = useFormResult<ValidationError>(formKey(NEW_TICKET_PATH, NEW_TICKET_FORM));
  const { errors = {}, values = {} } = problem ?? {};
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {problem ? <ErrorSummary title={problem.title} errors={errors} /> : null}
      <Form
        className="group/ticket grid gap-5"
        action={NEW_TICKET_PATH}
        name={NEW_TICKET_FORM}
        token={token}
        encType="multipart/form-data"
      >
        <Organization id={values.organization_id ?? organizationId} organizations={organizations} />
        <Field name="title" label="Subject" error={errors.title}>
          <Input defaultValue={values.title} maxLength={TITLE_LIMIT} autoComplete="off" />
        </Field>
        <Priorities value={values.priority || DEFAULT_PRIORITY} error={errors.priority} />
        <Impact value={values.impact} error={errors.impact} />
        <Field name="category" label="Category" error={errors.category} optional>
          <Select
            defaultValue={values.category ?? ""}
            options={[
              { value: "", label: "Choose a category" },
              ...TICKET_CATEGORIES.map((value) => ({ value, label: value })),
            ]}
          />
        </Field>
        <Field
          name="description"
          label="Description"
          hint="What were you doing, what did you expect, what did you see?"
          error={errors.description}
        >
          <Textarea rows={8} defaultValue={values.description} />
        </Field>
        <SecretWarning />
        {values.secret ? <input type="hidden" name="secret" value={values.secret} /> : null}
        <FilesField error={errors.files} isBack={problem !== undefined} room={room} />
        <Checkbox
          name="private"
          label="Keep private: only you, organization admins and support"
          defaultChecked={values.private === "on"}
        />
        <div className="grid gap-3">
          <Promise previews={previews} isOfOne={organizations.length === 1} />
          <p className="text-ink-2 text-sm">Please don't include patient or card data.</p>
          <SubmitButton className="justify-self-start" pendingLabel="Sending…">
            {values.secret ? "Send anyway" : "Send ticket"}
          </SubmitButton>
        </div>
      </Form>
    </div>
  );
}

/** The first is the one whose plan the page shows. */
function Organization({ id, organizations }: { id: string; organizations: NewTicketPage["organizations"] }) {
  if (organizations.length > 1) {
    return (
      <Field name="organization_id" label="Organization" id="ticket-organization">
        <Select defaultValue={id} options={organizations.map(({ id: value, name }) => ({ value, label: name }))} />
      </Field>
    );
  }
  return (
    <p>
      <input type="hidden" name="organization_id" value={id} />
      For <b>{organizations[0]?.name}</b>
    </p>
  );
}

function Priorities({ value, error: given }: { value: string; error?: string }) {
  const { error, onInput } = useFieldError(given);
  return (
    <fieldset className="grid gap-2" id="priority" onInput={onInput}>
      <legend className="mb-1 font-semibold">Priority</legend>
      {error ? <FieldError id="priority">{error}</FieldError> : null}
      {TICKET_PRIORITIES.toReversed().map((priority) => (
        <Tick
          key={priority}
          className="rounded-2 border border-line bg-sheet px-[min(0.75rem,3vw)] py-2 has-checked:border-ink"
          type="radio"
          name="priority"
          value={priority}
          defaultChecked={priority === value}
        >
          <span>
            <b>
              <PriorityBadge priority={priority} />: {PRIORITY_HELP[priority]}
            </b>
            <br />
            <span className="text-ink-2 text-sm">{PRIORITY_DESCRIPTIONS[priority]}</span>
          </span>
        </Tick>
      ))}
    </fieldset>
  );
}

/** Asks what an urgent ticket is about, in one line. Browsers that cannot tell what is chosen always show it. */
function Impact({ value, error }: { value?: string; error?: string }) {
  const { phone } = useBrand();
  return (
    <Field
      className="supports-[selector(:has(a))]:not-group-has-[[value=urgent]:checked]/ticket:hidden"
      name="impact"
      label="What has stopped working, for how many people?"
      hint={
        phone ? (
          <>
            Please call us as well: <a href={phone.href}>{phone.display}</a>
          </>
        ) : undefined
      }
      error={error}
    >
      <Input defaultValue={value} autoComplete="off" />
    </Field>
  );
}

const CHOSEN = {
  urgent: "group-has-[[value=urgent]:checked]/ticket:block",
  high: "group-has-[[value=high]:checked]/ticket:block",
  medium: "group-has-[[value=medium]:checked]/ticket:block",
  low: "group-has-[[value=low]:checked]/ticket:block",
} as const;

/** Says what the ticket would be promised. Where another organization is chosen, the new ticket's own page says it. */
function Promise({ previews, isOfOne }: Pick<NewTicketPage, "previews"> & { isOfOne: boolean }) {
  return (
    <div aria-live="polite">
      <div className="group-has-[#ticket-organization_option:not(:first-child):checked]/ticket:hidden">
        {previews.map(({ priority, words }) => (
          <p key={priority} className={cx("hidden font-semibold", CHOSEN[priority])}>
            {words}.
          </p>
        ))}
      </div>
      {isOfOne ? null : (
        <p className="hidden font-semibold group-has-[#ticket-organization_option:not(:first-child):checked]/ticket:block">
          Once it is sent, the ticket says by when you'll hear.
        </p>
      )}
    </div>
  );
}

type AsideProps = Pick<NewTicketPage, "plan" | "previews" | "hours" | "incidents">;

export function NewTicketAside({ plan, previews, hours, incidents }: AsideProps) {
  const { phone } = useBrand();
  return (
    <aside className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="When you will hear from us">
      <Panel id="response" title="When you'll hear from us">
        <table className="w-full text-sm @max-[16rem]:[&_:is(th,td)]:block">
          <thead>
            <tr className="text-left text-ink-2">
              <th scope="col" className="whitespace-nowrap py-1 pr-3 font-normal">
                {plan ? `${plan} plan` : "Priority"}
              </th>
              <th scope="col" className="py-1 font-normal">
                first reply within
              </th>
            </tr>
          </thead>
          <tbody>
            {previews.map(({ priority, within }) => (
              <tr key={priority} className="border-line border-t align-top">
                <th scope="row" className="py-1 pr-3 text-left font-semibold">
                  {PRIORITY_LABELS[priority]}
                </th>
                <td className="py-1">{within}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="mt-3 text-ink-2 text-sm">
          Our hours are {hours}. {incidents}
        </p>
      </Panel>
      <Panel id="tips" title="What helps us">
        <ul className="grid list-disc gap-1 pl-5">
          <li>One problem per ticket.</li>
          <li>The computer's name. It is on the sticker.</li>
          <li>A photo of the screen or the light.</li>
        </ul>
      </Panel>
      <Panel id="emergency" title="Emergency">
        <p>
          If people can't work or data may be at risk, choose Urgent
          {phone ? (
            <>
              {" "}
              and call{" "}
              <a className="whitespace-nowrap" href={phone.href}>
                {phone.display}
              </a>
            </>
          ) : null}
          .
        </p>
      </Panel>
    </aside>
  );
}
