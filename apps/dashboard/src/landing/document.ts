import "../ui/tokens.css";
import "./landing.css";
