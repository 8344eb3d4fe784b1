// swift-tools-version:5.9
import PackageDescription

let package = Package(
    name: "AssayCollector",
    platforms: [.iOS(.v13), .macOS(.v10_15)],
    products: [.library(name: "AssayCollector", targets: ["AssayCollector"])],
    targets: [.target(name: "AssayCollector")]
)
