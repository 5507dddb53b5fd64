import type { ReactNode } from "react";
import { Box } from "./panel";

/** Asks before something is deleted: what it concerns, what follows, and the form that does it. */
export function Confirmation({ children }: { children: ReactNode }) {
  return (
    <Box className="wrap-anywhere grid max-w-160 gap-4 [&>ul]:list-disc [&>ul]:pl-5 [&_form]:grid [&_form]:gap-4">
      {children}
    </Box>
  );
}
