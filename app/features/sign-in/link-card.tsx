import { ERROR_TEXTS } from "~/lib/error-texts";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton, ValidationNotice } from "~/ui/form";
import { Link } from "~/ui/link";

export const LinkMark = ({ mark }: { mark: string | null }) =>
  mark === null ? null : <input type="hidden" name="link" value={mark} />;

type InvalidLinkProps = {
  title: string;
  isOpen?: boolean;
  /** Says what went wrong; by default why a link stops working. */
  error?: string;
  blocked?: string | null;
  /** Tells what to do when the link is no longer valid. */
  otherwise: { label: string; to: string };
};

export function InvalidLinkCard({ title, isOpen = false, error, blocked, otherwise }: InvalidLinkProps) {
  return (
    <Docket alone id="link" title={title} heading="h1">
      <DocketBody alone>
        <ValidationNotice
          validationError={{
            title: blocked ? ERROR_TEXTS[429].title : isOpen ? "Nothing was changed" : "This link no longer works",
            errors: { form: blocked ?? error ?? "Links in our mails work once, and for a limited time." },
          }}
        />
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={otherwise.to}>{otherwise.label}</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

type LinkCardProps = Omit<InvalidLinkProps, "blocked" | "isOpen"> & {
  text: string;
  button: string;
  action: string;
  page: { isOpen: boolean; token: string; mark: string | null; hasErrors: boolean; blocked: string | null };
};

export function LinkCard({ title, text, button, action, page, error, otherwise }: LinkCardProps) {
  if (!page.isOpen || page.hasErrors) {
    const { isOpen, blocked } = page;
    return <InvalidLinkCard {...{ title, isOpen, error, blocked, otherwise }} />;
  }
  return (
    <Docket alone id="link" title={title} heading="h1">
      <DocketBody alone>
        <p>{text}</p>
        <Form action={action} token={page.token} reloadDocument>
          <LinkMark mark={page.mark} />
          <SubmitButton wide>{button}</SubmitButton>
        </Form>
      </DocketBody>
    </Docket>
  );
}
