// For publishing, and for who builds with Gradle. The tests of Assay compile the same sources with the compiler alone.
plugins {
    kotlin("jvm") version "2.4.20"
    `java-library`
    `maven-publish`
    signing
}

group = "dev.assay"
version = "0.1.0"

repositories {
    mavenCentral()
}

kotlin {
    explicitApi()
    compilerOptions {
        jvmTarget.set(org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_11)
        allWarningsAsErrors.set(true)
    }
}

java {
    sourceCompatibility = JavaVersion.VERSION_11
    targetCompatibility = JavaVersion.VERSION_11
    withSourcesJar()
    withJavadocJar()
}

publishing {
    publications {
        create<MavenPublication>("collector") {
            from(components["java"])
            pom {
                name.set("Assay collector")
                description.set("Measures Assay's six signals in an Android app, hands them to the app's own server, and can have Assay attest them.")
                url.set("https://assay.dev")
                licenses {
                    license {
                        name.set("Apache-2.0")
                        url.set("https://www.apache.org/licenses/LICENSE-2.0.txt")
                    }
                }
                developers {
                    developer {
                        id.set("assay")
                        name.set("Assay")
                        url.set("https://assay.dev")
                    }
                }
                scm {
                    connection.set("scm:git:https://assay.dev/assay.git")
                    url.set("https://assay.dev/assay.git")
                }
            }
        }
    }
}

signing {
    // Maven Central takes signed files only; without a key there is nothing to sign with.
    isRequired = hasProperty("signing.keyId")
    sign(publishing.publications["collector"])
}
