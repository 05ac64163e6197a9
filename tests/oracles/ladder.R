# Fits one ladder with R. Usage: Rscript ladder.R FILE, FILE a table level,half_points,count of pairs.
# Prints one "name value" per line.
suppressPackageStartupMessages({
  library(clubSandwich)
  library(metafor)
  library(brglm2)
})
k <- log(10) / 400
counts <- read.csv(commandArgs(TRUE)[1])
pairs <- counts[rep(seq_len(nrow(counts)), counts$count), ]
pairs$score <- pairs$half_points / 4
pairs$games <- 2
pairs$shift <- -k * pairs$level
control <- glm.control(epsilon = 1e-14, maxit = 100)
say <- function(name, value) cat(name, sprintf("%.12g", value), "\n")

curve <- glm(score ~ 1 + offset(shift), weights = games, family = quasibinomial, data = pairs, control = control)
say("R", coef(curve)[[1]] / k)
between <- coef_test(curve, vcovCR(curve, cluster = pairs$level, type = "CR2"), test = "Satterthwaite")
say("between_levels", between$SE / k)
say("between_levels_df", if (is.null(between$df)) between$df_Satt else between$df)

pairs$x <- pairs$level - mean(unique(pairs$level))
free <- glm(score ~ x, weights = games, family = quasibinomial, data = pairs, control = control)
say("slope", -coef(free)[["x"]] / k)
say("R50", mean(unique(pairs$level)) - coef(free)[[1]] / coef(free)[["x"]])
around <- vcovCR(free, cluster = seq_len(nrow(pairs)), type = "CR0")
say("slope_error", sqrt(around[2, 2]) / k)

levels <- sort(unique(pairs$level))
own <- t(sapply(levels, function(level) {
  score <- pairs$half_points[pairs$level == level] / 2
  m <- length(score)
  p <- sum(score) / (2 * m)
  c(level + log(p / (1 - p)) / k, m * var(score) / (k * 2 * m * p * (1 - p))^2)
}))
pooled <- rma(own[, 1], own[, 2], method = "PM", test = "adhoc", control = list(tol = 1e-12, maxiter = 1000))
say("tau", sqrt(pooled$tau2))
say("pooled_low", pooled$ci.lb)
say("pooled_high", pooled$ci.ub)

firth <- suppressWarnings(glm(score ~ 1 + offset(shift), weights = games, family = binomial, data = pairs,
  method = "brglmFit", type = "AS_mean", control = list(epsilon = 1e-12, maxit = 1000)))
say("firth", coef(firth)[[1]] / k)
