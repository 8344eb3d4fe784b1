rootProject.name = "collector"
