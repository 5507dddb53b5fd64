import { Button } from "~/ui/button";
import { Input } from "~/ui/input";

type PasswordInputProps = {
  autoComplete: "current-password" | "new-password";
  /** What a password manager shall know of the passwords taken here. */
  passwordrules?: string;
};

/** A password, with a button to look at what was typed. The button waits for the script that makes it work. */
export function PasswordInput(props: PasswordInputProps) {
  return (
    <span className="relative grid [&:has(>button:not([hidden]))>input]:pr-19" data-password="">
      <Input type="password" {...props} />
      <Button variant="ghost" size="sm" className="absolute right-1 bottom-1" hidden>
        Show
      </Button>
    </span>
  );
}
