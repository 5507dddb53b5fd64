import { ChevronDown } from "lucide-react";
import type { Question } from "~/content/faq";
import { Icon } from "~/ui/icon";

/** Questions that open one at a time where the browser can. The answers are in the HTML, so a search in the page finds them. */
export function FaqList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="faq">
      {questions.map(({ question, answer }) => (
        // React 18 does not know the attribute in its types; the browser does.
        <details key={question} {...{ name: "faq" }}>
          <summary>
            {question}
            <Icon of={ChevronDown} />
          </summary>
          <p>{answer}</p>
        </details>
      ))}
    </div>
  );
}
