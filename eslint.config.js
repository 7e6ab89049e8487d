// How the pages' JavaScript is written: eslint's own recommendations, and what has caught real faults before.
import js from "@eslint/js";

export default [
  { ignores: [".venv*/", "build/", "**/*.d.ts"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error", noInlineConfig: true },
    rules: {
      "no-undef": "off", // tsc knows every name, the browser's too
      "no-unused-vars": ["error", { args: "after-used", caughtErrors: "all" }],
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      "default-case-last": "error",
      eqeqeq: "error",
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-param-reassign": "error",
      "no-sequences": "error",
      "no-shadow": "error",
      "no-throw-literal": "error",
      "no-unused-expressions": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      radix: "error",
    },
  },
];
