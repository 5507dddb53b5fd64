import { ChevronDown } from "lucide-react";
import type { Question } from "~/content/faq";
import { Icon } from "~/ui/icon";

/** Questions that open one at a time where the browser can. The answers are in the HTML, so a search in the page finds them. */
export function FaqList({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="*:border-line-strong *:border-t *:last:border-b [&_[open]_svg]:[rotate:180deg] [&_p]:pb-[1.35rem] [&_p]:text-ink-2 [&_summary::-webkit-details-marker]:hidden [&_summary]:flex [&_summary]:cursor-pointer [&_summary]:list-none [&_summary]:justify-between [&_summary]:gap-4 [&_summary]:py-[1.05rem] [&_summary]:font-bold [&_summary]:text-lg/[1.25] [&_summary]:tracking-[-0.01em] [&_svg]:mt-[0.15rem] [&_svg]:[transition:rotate_0.2s]">
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
