import { createContext, createElement, type ReactElement, type ReactNode, useContext, useEffect, useLayoutEffect, useState } from "react";
import { AppState, Dimensions, View } from "react-native";
import type { Scrolled } from "@assay/contract/measuring/scroll-share.ts";
import type { SessionData } from "@assay/contract/measuring/session-totals.ts";
import { type AppCollector, type AppHost, type Collector, type CollectorOptions, createCollector } from "./collector.ts";
import type { Storage } from "./keep-visits.ts";

export type { Collector, CollectorOptions, SessionData, Storage };

const createHost = (): AppHost => ({
  nowMs: () => Date.now(),
  random: () => Math.random(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  fetch: (url, options) => fetch(url, { ...options, credentials: "omit" }),
  post: (url, options) => fetch(url, options),
  // oxlint-disable-next-line no-console -- it is where the developer of an app looks
  warn: (text) => console.warn(text),
  isActive: () => AppState.currentState === "active",
  onChange(listener) {
    const subscription = AppState.addEventListener("change", listener);
    return () => subscription.remove();
  },
  windowHeight: () => Dimensions.get("window").height,
});

const AssayContext = createContext<AppCollector | undefined>(undefined);

function useCollector(): AppCollector {
  const collector = useContext(AssayContext);
  if (!collector) throw new Error("There is no <AssayProvider> around this component.");
  return collector;
}

/** Properties of `AssayView`: those of a `View`. */
export type AssayViewProps = { children?: ReactNode; style?: unknown; [name: string]: unknown };

/** A `View` that sees every touch inside it and takes none away. `AssayProvider` has one already. */
export function AssayView(props: AssayViewProps): ReactElement {
  return createElement(View, { ...props, ...useCollector().touchHandlers, collapsable: false });
}

/** Properties of `AssayProvider`: the collector's options. */
export type AssayProviderProps = CollectorOptions & { children?: ReactNode };

const fill = { flex: 1 };

/**
 * Measures the app inside it, from when it is mounted until it is unmounted. The signals go to your own server, which holds
 * the API key. Only with `site` does the app also call Assay.
 */
export function AssayProvider({ children, ...options }: AssayProviderProps): ReactElement {
  const [collector] = useState(() => createCollector(options, createHost()));
  // Before the effects of what is inside, which count screens.
  useLayoutEffect(() => {
    collector.start();
    return collector.stop;
  }, [collector]);
  return createElement(AssayContext.Provider, { value: collector }, createElement(AssayView, { style: fill }, children));
}

/** The collector of the `AssayProvider` around this component. */
export const useAssay = (): Collector => useCollector();

/** Counts a screen when the component is mounted, and when the name becomes another one. The name is neither stored nor sent. */
export function useScreen(name: string): void {
  const { screen } = useCollector();
  useEffect(() => screen(name), [screen, name]);
}

type Size = { width: number; height: number };

/** Properties for the `ScrollView` or list that is the screen's main one. */
export type ScrollProps = {
  onScroll: (event: { nativeEvent: { contentOffset: { x: number; y: number }; contentSize: Size; layoutMeasurement: Size } }) => void;
  onLayout: (event: { nativeEvent: { layout: Size } }) => void;
  onContentSizeChange: (width: number, height: number) => void;
  scrollEventThrottle: number;
};

/** How often scroll positions are reported, in milliseconds. */
const scrollEventThrottle = 100;

function createScrollProps({ scroll }: Collector): ScrollProps {
  const known: Omit<Scrolled, "window"> = { offset: 0, visible: 0, content: 0 };
  const note = (news: Partial<typeof known>) => {
    Object.assign(known, news);
    // Until both sizes are known there is nothing to compare.
    if (known.visible > 0 && known.content > 0) scroll(known);
  };
  return {
    onScroll: ({ nativeEvent }) => note({ offset: nativeEvent.contentOffset.y, visible: nativeEvent.layoutMeasurement.height, content: nativeEvent.contentSize.height }),
    onLayout: ({ nativeEvent }) => note({ visible: nativeEvent.layout.height }),
    onContentSizeChange: (_width, height) => note({ content: height }),
    scrollEventThrottle,
  };
}

/** Measures how far the screen's main list is scrolled: `<FlatList {...useScroll()} />`. */
export function useScroll(): ScrollProps {
  const collector = useCollector();
  const [props] = useState(() => createScrollProps(collector));
  return props;
}
