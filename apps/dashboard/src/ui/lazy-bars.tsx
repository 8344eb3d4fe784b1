import { Skeleton } from "@mantine/core";
import { lazy, Suspense, type ComponentProps } from "react";

const StackedBars = lazy(async () => ({ default: (await import("./charts/stacked-bars.tsx")).StackedBars }));

export function LazyBars(props: ComponentProps<typeof StackedBars>) {
  return <Suspense fallback={<Skeleton h={260} />}><StackedBars {...props} /></Suspense>;
}
