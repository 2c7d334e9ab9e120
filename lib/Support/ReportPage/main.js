// The page, from top to bottom. Sections are there for what the data has.

document.title = document.title || 'Report';
document.getElementById('title').textContent = document.title;

function makePage() {
  const report = {data, programs};
  if (programs.length) {
    document.getElementById('lead').textContent =
        `Predicted execution of ${data.file} on ${data.platform}.`;
    addTotals();
    report.timeline = addTimeline();
    addCriticalPath(report.timeline);
    addMeasured();
    addChoices();
    addStreams();
    addBytes();
    addLinks();
    addFabric();
    addTraffic();
    addLimits();
    addCircuits(report.timeline);
    addMachine();
    addTasks(report.timeline);
    report.timeline.draw();
  } else {
    addPlanner();
  }
  return report;
}

/** What tests, and whoever opens the console, see of the page. */
window.report = makePage();
