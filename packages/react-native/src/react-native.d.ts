// The part of React Native that is used. The package itself is a peer dependency, which nothing here installs.
declare module "react-native" {
  import type { ComponentType } from "react";

  export const AppState: {
    currentState: string;
    addEventListener: (name: "change", listener: (state: string) => void) => { remove: () => void };
  };
  export const Dimensions: { get: (name: "window") => { width: number; height: number } };
  export const View: ComponentType<Record<string, unknown>>;
}
