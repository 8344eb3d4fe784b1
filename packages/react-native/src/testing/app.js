// A small app for the test in Chromium, which bundles it with React Native for the web.
import { createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { FlatList, Pressable, Text, TextInput } from "react-native";
import { AssayProvider, useAssay, useScreen, useScroll } from "../assay-provider.ts";

const rows = Array.from({ length: 100 }, (_, nth) => ({ key: `row ${nth}` }));

function Home() {
  const assay = useAssay();
  window.assay = assay;
  useScreen("Home");
  const header = [
    createElement(Pressable, { key: "buy", testID: "buy", onPress: () => (window.presses = (window.presses ?? 0) + 1) }, createElement(Text, null, "buy")),
    createElement(TextInput, { key: "text", testID: "text", onKeyPress: assay.key }),
  ];
  const renderItem = ({ item }) => createElement(Text, { style: { height: 40 } }, item.key);
  return createElement(FlatList, { testID: "list", style: { height: 600 }, data: rows, ListHeaderComponent: createElement("div", null, header), renderItem, ...useScroll() });
}

const storage = {
  getItem: async (key) => localStorage.getItem(key),
  setItem: async (key, value) => localStorage.setItem(key, value),
  removeItem: async (key) => localStorage.removeItem(key),
};

const site = new URLSearchParams(location.search).get("site") ?? undefined;
const attestation = site && { site, url: new URL("/c/v1/", location.href).href };

createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(AssayProvider, { endpoint: "/signals", storage, ...attestation }, createElement(Home))));
