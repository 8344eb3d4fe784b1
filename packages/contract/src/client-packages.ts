// The clients that every installation serves at /clients/, and how a project installs one from there.

export const clientVersion = "0.1.0";

export type ClientPackage = {
  id: "typescript" | "python" | "go" | "php" | "java" | "collector" | "react-native" | "kotlin" | "swift";
  /** What a reader looks for. */
  label: string;
  runsOn: "server" | "page" | "app";
  /** What it needs. */
  needs: string;
  /** Below /clients/. */
  file: string;
  /** Commands for a project's folder. */
  install: (address: string) => string;
};

const npmInstall = (file: string) => (address: string) => `npm install ${address}/clients/${file}`;
const unpack = (file: string, folder: string) => (address: string) => `curl -O ${address}/clients/${file}\nunzip ${file} -d ${folder}`;

const sdk = `assay-sdk-${clientVersion}.tgz`;
const wheel = `assay_client-${clientVersion}-py3-none-any.whl`;
const javaSources = `assay-java-${clientVersion}.zip`;
const kotlinSources = `assay-kotlin-${clientVersion}.zip`;
const swiftSources = `assay-swift-${clientVersion}.zip`;
const collector = `assay-collector-${clientVersion}.tgz`;
const reactNative = `assay-react-native-${clientVersion}.tgz`;

export const clientPackages: readonly ClientPackage[] = [
  { id: "typescript", label: "TypeScript, JavaScript", runsOn: "server", needs: "Node 20, Deno, Bun or Workers", file: sdk, install: npmInstall(sdk) },
  { id: "python", label: "Python", runsOn: "server", needs: "Python 3.9", file: wheel, install: (address) => `pip install ${address}/clients/${wheel}` },
  {
    id: "go",
    label: "Go",
    runsOn: "server",
    needs: "Go 1.19",
    file: `go/assay.dev/client/@v/v${clientVersion}.zip`,
    install: (address) => `GOPROXY=${address}/clients/go GONOSUMDB=assay.dev go get assay.dev/client@v${clientVersion}`,
  },
  {
    id: "php",
    label: "PHP",
    runsOn: "server",
    needs: "PHP 8.1 with curl and sodium",
    file: `php/assay-php-${clientVersion}.zip`,
    install: (address) => `composer config repositories.assay composer ${address}/clients/php\ncomposer require assay/client:${clientVersion}`,
  },
  {
    id: "java",
    label: "Java, Kotlin",
    runsOn: "server",
    needs: "Java 11",
    file: javaSources,
    install: (address) =>
      [
        unpack(javaSources, "assay-java")(address),
        "javac -encoding UTF-8 --release 11 -d assay-classes $(find assay-java -name '*.java')",
        `jar --create --file assay-client-${clientVersion}.jar -C assay-classes .`,
      ].join("\n"),
  },
  { id: "collector", label: "Web pages", runsOn: "page", needs: "a browser that knows ES2020", file: collector, install: npmInstall(collector) },
  { id: "react-native", label: "React Native: iOS and Android", runsOn: "app", needs: "React Native 0.72", file: reactNative, install: npmInstall(reactNative) },
  { id: "kotlin", label: "Kotlin: Android", runsOn: "app", needs: "Kotlin 2.0 and Android 5", file: kotlinSources, install: unpack(kotlinSources, "assay-kotlin") },
  { id: "swift", label: "Swift: iOS", runsOn: "app", needs: "Swift 5.9 and iOS 13", file: swiftSources, install: (address) => `${unpack(swiftSources, "AssayCollector")(address)}\n# In Xcode: File, Add Package Dependencies, Add Local` },
];
