import { InvalidLinkCard } from "~/features/sign-in/link-card";
import { PORTAL_HOME_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { FactList } from "~/ui/fact-list";
import { Field, Form, SubmitButton, Textarea, ValidationNotice } from "~/ui/form";
import { Link } from "~/ui/link";
import { clientTicketPath } from "../paths";
import type { SolvedPage } from "./page.server";

type SolvedCardProps = SolvedPage & {
  path: string;
  isDone: boolean;
  validationError: ValidationError | null;
};

export function SolvedCard({ question, token, path, isDone, validationError }: SolvedCardProps) {
  if (!question) {
    return (
      <InvalidLinkCard
        title="Is it solved?"
        error="The link works for two weeks, and an answer can be changed for seven days."
        otherwise={{ label: "Open your tickets", to: PORTAL_HOME_PATH }}
      />
    );
  }
  const { number, title, answer, given, link } = question;
  const other = answer === "yes" ? "no" : "yes";
  if (isDone && given !== null) return <Thanks question={question} path={path} />;
  return (
    <Docket alone id="solved" title={answer === "yes" ? "Is it solved?" : "Still broken?"} heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        <TicketFacts number={number} title={title} />
        {given ? <p>You answered: {given === "yes" ? "solved" : "still broken"}. You can change that.</p> : null}
        <Form action={withParams(path, { answer, token: link })} token={token} reloadDocument intent={answer}>
          <input type="hidden" name="link" value={link} />
          {answer === "no" ? (
            <>
              <p>We will open the ticket again and read what you write.</p>
              <Field name="body" label="What is still broken?" error={validationError?.errors.body}>
                <Textarea rows={5} defaultValue={validationError?.values.body} />
              </Field>
            </>
          ) : null}
          <SubmitButton wide>{answer === "yes" ? "Yes, solved" : "No, still broken"}</SubmitButton>
        </Form>
        <p>
          <Link to={withParams(path, { answer: other, token: link })}>
            {other === "yes" ? "Yes, it's solved" : "No, still broken"}
          </Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

type Question = NonNullable<SolvedPage["question"]>;

function Thanks({ question: { number, title, given, link }, path }: { question: Question; path: string }) {
  const isSolved = given === "yes";
  return (
    <Docket alone id="solved" title="Thank you" heading="h1">
      <DocketBody alone>
        <TicketFacts number={number} title={title} />
        <p role="status">
          {isSolved ? "Good to hear that it is solved." : "We have your message and will look at it again."}
        </p>
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={clientTicketPath(number)}>Open the ticket</Link>
          <Link to={withParams(path, { answer: isSolved ? "no" : "yes", token: link })}>Change your answer</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

const TicketFacts = ({ number, title }: Pick<Question, "number" | "title">) => (
  <FactList
    terms="medium"
    facts={[
      { term: "Ticket", detail: number },
      { term: "Subject", detail: title },
    ]}
  />
);
